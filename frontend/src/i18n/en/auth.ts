export default {
  title: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  enter: 'Sign in',
  wrong: 'The e-mail or the password is wrong.',
  tooMany: 'Too many tries. Wait a minute, then try again.',
  offline: 'The server does not answer. Nothing was sent; try again.',
  linkHint: 'No password yet? The server prints a one-time link when it starts; <code>playhead login-link</code> prints another.',
  linkRefused: 'This link does not sign in',
  linkSpent: 'It was used before, has expired, or was mistyped. A link works once.',
  newLink: 'Ask an admin for a new one, or run <code>playhead login-link</code> on the server.',
  byPassword: 'Sign in by password',
};
