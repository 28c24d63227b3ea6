"""The vault: sealed values of a session tree, encrypted with the root's key.

Each root key is wrapped by ``PLAYHEAD_VAULT_KEY`` and never leaves with an export; destroying it
erases what the tree has sealed.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from agents_app.adapters.stores.port import VaultRow
from agents_app.engine.middleware.guardrail import sealed_kinds
from agents_app.engine.ports import SealedValue, TextGuard
from agents_app.models import AgentVersion, RootKey, Session, Vault
from playhead.core.errors import PlayheadError
from playhead.core.seal import ArgumentsGuard, Sealer, StreamGuard, unseal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from playhead.core.events import Event

_NONCE = 12
_NOTHING: frozenset[str] = frozenset()
#: One for all trees: the loop seals, and a thread rarely comes with what others have sealed.
_learning = threading.Lock()
Span = list[Any]


class VaultLocked(PlayheadError):
    """The vault key of this process does not open a root's key."""

    code = "vault_locked"


def _wrapping() -> AESGCM:
    return AESGCM(hashlib.sha256(settings.PLAYHEAD_VAULT_KEY.encode()).digest())


def _encrypt(box: AESGCM, data: bytes, about: str) -> bytes:
    nonce = os.urandom(_NONCE)
    return nonce + box.encrypt(nonce, data, about.encode())


def _decrypt(box: AESGCM, data: bytes, about: str) -> bytes:
    try:
        return box.decrypt(data[:_NONCE], data[_NONCE:], about.encode())
    except InvalidTag:
        raise VaultLocked(
            "PLAYHEAD_VAULT_KEY is not the key that sealed this session; "
            "give every process the same one."
        ) from None


def root_key(root: int) -> bytes:
    """The key of a session tree, made on first need."""
    row = RootKey.objects.filter(root_id=root).first()
    if row is None:
        fresh = os.urandom(32)
        try:
            with transaction.atomic():
                RootKey.objects.create(
                    root_id=root, wrapped=_encrypt(_wrapping(), fresh, f"root:{root}")
                )
            return fresh
        except IntegrityError:
            row = RootKey.objects.get(root_id=root)
    return _decrypt(_wrapping(), bytes(row.wrapped), f"root:{root}")


class VaultSeals:
    """The engine's ``Seals`` port of one session tree; what is sealed once stays known.

    The engine uses it on its loop: only what says so reads the database.
    """

    __slots__ = ("_key", "_known", "_markers", "_personal", "_sealer", "root")

    def __init__(
        self, root: int, key: bytes, known: Mapping[str, str], *, personal: Iterable[str] = ()
    ) -> None:
        """``personal``: kinds of personal data that are sealed too, by the owner's choice."""
        self.root = root
        self._personal = frozenset(personal) or _NOTHING
        self._key = key
        self._known = dict(known)
        self._markers = hashlib.sha256(b"markers" + key).digest()
        self._sealer = self._with_known()

    def seal(
        self, value: Any, *, secret_paths: Sequence[str] = (), spans: Sequence[Span] = (),
        personal: Collection[str] = (),
    ) -> SealedValue:  # fmt: skip
        """Replace secrets by markers; ``spans`` are markers that stand in ``value`` already.

        ``personal``: kinds of personal data that are sealed in this value besides.
        """
        with _learning:
            sealer = self._with_known(personal) if personal else self._sealer
            sealed = sealer.seal(value, secret_paths=secret_paths, spans=map(list, spans))
            for vault_id, (_, secret) in sealed.new.items():
                self._known[vault_id] = secret
            if sealed.new:
                self._sealer = self._with_known()
        return SealedValue(sealed.value, sealed.spans, sealed.new)

    def open(self, value: Any, spans: Sequence[Span]) -> Any:
        """Put the real values back, strictly by position.

        Raises:
            VaultLocked: a value is gone from the vault.
        """
        if not spans:
            return value
        if not self._knows(spans):
            raise VaultLocked(
                "A sealed value of this session is gone from the vault.", code="sealed_gone"
            )
        return unseal(value, spans, self._known)

    def learn(self, events: Iterable[Event]) -> None:
        """Know what others have sealed in these events: it can be opened, and its echo is sealed.

        Blocks where something is new: it reads the vault.
        """
        if all(self._knows(event.sealed or ()) for event in events):
            return
        found = _load(self.root, self._key)
        with _learning:
            self._known.update(found)
            self._sealer = self._with_known()

    def _knows(self, spans: Sequence[Span]) -> bool:
        return all(span[3] in self._known for span in spans)

    def guard(self, *, secret: Sequence[str] = ()) -> TextGuard:
        """A guard for streamed text; ``secret`` names arguments, when it is those of a call."""
        return ArgumentsGuard(self._sealer, secret) if secret else StreamGuard(self._sealer)

    def _with_known(self, personal: Collection[str] = ()) -> Sealer:
        return Sealer(self._markers, self._known, personal=self._personal.union(personal))

    def rows(self, new: Mapping[str, tuple[str, str]]) -> tuple[VaultRow, ...]:
        """New secrets as encrypted rows."""
        if not new:
            return ()
        box = AESGCM(self._key)  # 2 kB: a session that waits holds none
        return tuple(
            VaultRow(
                vault_id,
                kind,
                _encrypt(box, secret.encode("utf-8", "surrogatepass"), vault_id),
            )
            for vault_id, (kind, secret) in new.items()
        )


def _load(root: int, key: bytes) -> dict[str, str]:
    rows = list(Vault.objects.filter(root_id=root).values_list("id", "ciphertext"))
    if not rows:
        return {}
    box = AESGCM(key)
    return {
        name: _decrypt(box, bytes(data), name).decode("utf-8", "surrogatepass")
        for name, data in rows
    }


def seals_for(root: int) -> VaultSeals:
    """The seals of a session tree. Blocks: it reads the vault."""
    key = root_key(root)
    return VaultSeals(root, key, _load(root, key), personal=_personal(root))


def _personal(root: int) -> frozenset[str]:
    """What the owners of the tree's agents want sealed: a branch may run another version."""
    versions = Session.objects.filter(Q(pk=root) | Q(root_id=root)).values("agent_version_id")
    definitions = AgentVersion.objects.filter(pk__in=versions).values_list("definition", flat=True)
    kinds = (sealed_kinds(json.loads(text)["middleware"]) for text in definitions)
    return frozenset().union(*kinds)


def vault_rows(root: int, new: Mapping[str, tuple[str, str]]) -> tuple[VaultRow, ...]:
    """Encrypted rows for new secrets of a tree; none, and no reading, when nothing is new."""
    return seals_for(root).rows(new) if new else ()
