"""The methods for getting updates: polling and webhooks."""

import re
from typing import Any
from urllib.parse import urlsplit

from bot.sandbox.methods.call import Call, Described
from bot.sandbox.refusals import bad_request, conflict, too_many_requests
from bot.sandbox.updates import WEBHOOK_SET
from bot.sandbox.webhook import LOOPBACK, Target
from bot.sandbox.world import World

_LONGEST_SECRET = 256
_SECRET = re.compile(r"[A-Za-z0-9_-]*")
_PORTS = frozenset({80, 88, 443, 8443})
_PORT_BY_SCHEME = {"https": 443, "http": 80}
_DEFAULT_CONNECTIONS = 40
_MOST_CONNECTIONS = 100


async def get_updates(world: World, call: Call) -> Any:
    """Return the updates that wait, or wait for one."""
    if world.webhook.target is not None:
        raise conflict(
            "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
        )
    if "allowed_updates" in call.params:
        _allow(world, call.params["allowed_updates"])
    limit = call.integer("limit") or 100
    return await world.updates.poll(call.integer("offset"), limit, call.integer("timeout"))


def set_webhook(world: World, call: Call) -> Any:
    """Have updates posted to a URL; an empty one goes back to polling."""
    url = call.text("url")
    if not url:
        return delete_webhook(world, call)
    _check_url(url)
    secret = call.text("secret_token")
    if len(secret) > _LONGEST_SECRET:
        raise bad_request("secret token is too long")
    if not _SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    if world.webhook.hurried():
        raise too_many_requests(1)
    if "allowed_updates" in call.params:
        _allow(world, call.params["allowed_updates"])
    if call.flag("drop_pending_updates"):
        world.updates.drop_all()
    connections = call.integer("max_connections") or _DEFAULT_CONNECTIONS
    same = world.webhook.target is not None and world.webhook.target.url == url
    target = Target(
        url, secret, min(max(connections, 1), _MOST_CONNECTIONS), call.text("ip_address"), "certificate" in call.uploads
    )
    world.updates.interrupt(conflict(WEBHOOK_SET))
    world.webhook.set(target)
    return Described(result=True, description="Webhook is already set" if same else "Webhook was set")


def delete_webhook(world: World, call: Call) -> Any:
    """Go back to polling."""
    if call.flag("drop_pending_updates"):
        world.updates.drop_all()
    if world.webhook.target is None:
        return Described(result=True, description="Webhook is already deleted")
    world.webhook.remove()
    return Described(result=True, description="Webhook was deleted")


def get_webhook_info(world: World, call: Call) -> Any:  # noqa: ARG001 - every method has the same form
    """Tell where updates go and what went wrong last."""
    info = world.webhook.info() | {"pending_update_count": len(world.updates.entries)}
    if world.updates.allowed is not None:
        info["allowed_updates"] = sorted(world.updates.allowed)
    return info


def stand_still(world: World, call: Call) -> Any:  # noqa: ARG001 - every method has the same form
    """Answer logOut and close: there is nothing to leave here."""
    return True


def _allow(world: World, kinds: list[str]) -> None:
    world.updates.allowed = frozenset(kinds) if kinds else None


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    try:
        port = parts.port or _PORT_BY_SCHEME.get(parts.scheme, 0)
    except ValueError as error:
        raise bad_request("invalid webhook URL specified") from error
    if not parts.hostname or parts.scheme not in _PORT_BY_SCHEME:
        raise bad_request("invalid webhook URL specified")
    if parts.hostname in LOOPBACK:
        # As a Bot API server that runs locally: any port, and plain HTTP.
        return
    if parts.scheme != "https":
        raise bad_request("bad webhook: An HTTPS URL must be provided for webhook")
    if port not in _PORTS:
        raise bad_request("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
