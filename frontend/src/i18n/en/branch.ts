export default {
  title: 'Branch',
};
