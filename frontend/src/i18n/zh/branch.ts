export default {
  title: '分支',
};
