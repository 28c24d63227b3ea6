export default {
  title: 'Sessions',
};
