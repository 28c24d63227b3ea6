"""One table: what may be done, and the least role that may do it.

A decision takes the role that its question asks for, which may be more than ``DECIDE``.
"""

from playhead.accounts.contracts import Role

READ = Role.VIEWER
START = Role.OPERATOR
CONTROL = Role.OPERATOR
DECIDE = Role.OPERATOR
BRANCH = Role.OPERATOR
SHARE = Role.OPERATOR
EDIT = Role.EDITOR
REVEAL = Role.APPROVER
