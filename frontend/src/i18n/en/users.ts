export default {
  title: 'Users',
};
