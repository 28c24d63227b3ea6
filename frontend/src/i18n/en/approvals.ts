export default {
  title: 'Approvals',
};
