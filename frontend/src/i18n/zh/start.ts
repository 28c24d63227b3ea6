export default {
  title: '启动会话',
};
