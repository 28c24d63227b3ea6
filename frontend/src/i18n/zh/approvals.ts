export default {
  title: '审批',
};
