"""Telling other programs that a run is over: a POST that is signed with a secret both sides know."""

import hashlib
import hmac
import json
import logging
import os
import threading
import time
from typing import Any

import httpx2
from sqlalchemy import select

from voicesim.errors import UsageError
from voicesim.studio.addresses import check_webhook
from voicesim.studio.database import Database
from voicesim.studio.settings import Settings
from voicesim.studio.tables.visits import Run, Visit, Webhook

SIGNATURE = "X-Voicesim-Signature"
TRIES = 3
_LOG = logging.getLogger("voicesim.studio")


def signature(secret: str, body: bytes) -> str:
    """What the header of a POST holds: `sha256=` and the HMAC of its body."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def outcome(database: Database, run_id: int) -> dict[str, Any]:
    """A run and its visits, as programs are told of them."""
    with database.session() as session:
        run = session.get(Run, run_id)
        if run is None:
            return {}
        suite = run.place.partition("/")[0]
        wanted = [Visit.suite == suite] if run.state == "finished" and suite else [Visit.place == run.place]
        visits = session.scalars(select(Visit).where(*wanted)).all() if run.place else []
        return {
            "run": run.id,
            "state": run.state,
            "step": run.step,
            "problem": run.problem,
            "asked": run.asked,
            "visits": [visit_json(visit) for visit in visits],
        }


def visit_json(visit: Visit) -> dict[str, Any]:
    """A visit in plain values; a score of None was not given."""
    names = ("place", "case", "case_sha", "agent", "persona", "profile", "mind", "started", "duration", "end_reason",
             "state", "reason", "score", "judge", "manual", "draft")  # fmt: skip
    return {name: getattr(visit, name) for name in names}


def tell_webhooks(database: Database, settings: Settings, run_id: int) -> None:
    """Send the end of a run to every webhook, in a thread of its own."""
    with database.session() as session:
        hooks = [(hook.id, hook.url, hook.secret_env) for hook in session.scalars(select(Webhook))]
    body = json.dumps(outcome(database, run_id)).encode() if hooks else b""
    for number, url, secret_env in hooks:
        arguments = (database, settings, number, url, os.environ.get(secret_env, ""), body)
        threading.Thread(target=_send, args=arguments, name=f"webhook {number}", daemon=True).start()


def _send(database: Database, settings: Settings, number: int, url: str, secret: str, body: bytes) -> None:
    headers = {"Content-Type": "application/json", SIGNATURE: signature(secret, body)}
    last = "the secret's environment variable is not set"
    for attempt in range(TRIES if secret else 0):
        try:
            check_webhook(url, settings)
            answer = httpx2.post(url, content=body, headers=headers, timeout=10.0, follow_redirects=False)
            last = f"answered {answer.status_code}"
            if answer.status_code < 500:
                break
        except httpx2.HTTPError as error:
            last = f"{type(error).__name__}"
        except UsageError as error:
            last = str(error)
        time.sleep(2.0**attempt)
    with database.session() as session:
        hook = session.get(Webhook, number)
        if hook:
            hook.last = last[:200]
