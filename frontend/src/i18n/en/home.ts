export default {
  title: 'Home',
};
