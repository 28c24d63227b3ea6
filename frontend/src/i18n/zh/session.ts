export default {
  title: '会话',
};
