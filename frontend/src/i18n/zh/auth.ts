export default {
  title: '登录',
  email: '电子邮箱',
  password: '密码',
  enter: '登录',
  wrong: '邮箱或密码不正确。',
  tooMany: '尝试次数过多，请等一分钟后再试。',
  offline: '服务器没有响应，什么也没有发送，请重试。',
  linkHint: '还没有密码？服务器启动时会打印一次性链接；运行 <code>playhead login-link</code> 可再获取一个。',
  linkRefused: '此链接无法登录',
  linkSpent: '它已被使用、已过期或地址有误。每个链接只能使用一次。',
  newLink: '请向管理员索取新链接，或在服务器上运行 <code>playhead login-link</code>。',
  byPassword: '用密码登录',
};
