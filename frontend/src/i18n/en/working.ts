import agents from './agents';
import approvals from './approvals';
import branch from './branch';
import compare from './compare';
import home from './home';
import refusals from './refusals';
import sessions from './sessions';
import start from './start';
import users from './users';

/** The texts of the workspace, for people who are signed in. */
export const working = { agents, approvals, branch, compare, home, refusals, sessions, start, users };
