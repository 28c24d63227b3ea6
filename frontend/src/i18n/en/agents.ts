export default {
  title: 'Agents',
};
