export default {
  title: '分享',
};
