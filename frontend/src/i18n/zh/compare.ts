export default {
  title: '对比',
};
