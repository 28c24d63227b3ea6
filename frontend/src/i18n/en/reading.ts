import auth from './auth';
import common from './common';
import session from './session';
import share from './share';
import shell from './shell';
import ui from './ui';

/** What a visitor without a login may read: the first load. */
export const reading = { auth, common, session, share, shell, ui };
