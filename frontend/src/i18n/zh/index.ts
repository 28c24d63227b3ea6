import type { Resources } from '../en';
import type { Translated } from '../translated';
import agents from './agents';
import approvals from './approvals';
import auth from './auth';
import branch from './branch';
import common from './common';
import compare from './compare';
import editor from './editor';
import home from './home';
import refusals from './refusals';
import session from './session';
import sessions from './sessions';
import share from './share';
import shell from './shell';
import start from './start';
import ui from './ui';
import users from './users';

export const zh: Translated<Resources> = {
  agents,
  approvals,
  auth,
  branch,
  common,
  compare,
  editor,
  home,
  refusals,
  session,
  sessions,
  share,
  shell,
  start,
  ui,
  users,
};

