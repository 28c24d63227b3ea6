export default {
  title: '用户',
};
