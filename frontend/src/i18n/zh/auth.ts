export default {
  title: '登录',
};
