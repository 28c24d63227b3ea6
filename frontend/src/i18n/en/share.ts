export default {
  title: 'Share',
};
