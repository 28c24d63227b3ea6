export default {
  title: 'Start a session',
};
