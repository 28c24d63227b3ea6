"""One table: what may be done, and the least role that may do it."""

from playhead.accounts.contracts import Role

BRANCH = Role.OPERATOR
VERIFY = Role.OPERATOR
SHARE = Role.OPERATOR
