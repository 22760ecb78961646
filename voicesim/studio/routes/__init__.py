"""What the studio answers, one router a page."""

from voicesim.studio.routes import api, cases, live, ops, people, proposals, results, review, visits

ROUTERS = tuple(module.router for module in (ops, people, visits, live, cases, proposals, results, review, api))
