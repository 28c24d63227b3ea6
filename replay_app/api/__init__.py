"""Branches, comparisons, proofs, exports and links over HTTP."""

from ninja import Router

from replay_app.api import branches, reading, shares

router = Router()
for _module in (branches, reading, shares):
    router.add_router("", _module.router)
