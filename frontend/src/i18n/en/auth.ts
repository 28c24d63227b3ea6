export default {
  title: 'Sign in',
};
