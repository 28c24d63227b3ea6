"""Agents, sessions, their events and questions over HTTP."""

from ninja import Router

from agents_app.api import agents, control, events, interrupts, sessions, versions

router = Router()
for _module in (agents, versions, sessions, events, control, interrupts):
    router.add_router("", _module.router)
