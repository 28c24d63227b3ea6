export default {
  title: 'Session',
};
