"""The platform's own operations: signing in and out, me, users."""

from ninja import Router

from playhead.rest.api import auth, me, users

router = Router()
router.add_router("", auth.router)
router.add_router("", me.router)
router.add_router("", users.router)
