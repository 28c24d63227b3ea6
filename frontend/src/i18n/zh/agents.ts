export default {
  title: '智能体',
};
