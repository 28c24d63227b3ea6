/** Why a command was refused, by the code of the refusal. */
export default {
  offline: 'The server does not answer. Whether this was done is not known.',
  unauthenticated: 'You are not signed in any more.',
  forbidden: 'Your role does not allow this.',
  not_found: 'It does not exist, or not for you.',
  too_many_tries: 'Too many tries. Wait a moment.',
  imported: 'This session was imported: branch it to run on.',
  head_moved: 'Others write to this session all the time. Try again.',
  running: 'The session is being run.',
  session_ended: 'The session has ended.',
  withdrawn: 'The run has ended; nothing is asked any more.',
  slug_taken: 'Another agent has this name in code.',
  read_only: 'This agent is defined by code: copy it and edit the copy.',
  stale: 'Somebody has saved a newer version: look at it, then save again.',
  email_taken: 'There is a user with this e-mail address already.',
  last_admin: 'This is the last admin: make somebody else one first.',
};
