"""The statements of SQLite. ``?1`` is always the session; the rest as in ``batch.Rows``."""

from __future__ import annotations

from agents_app.adapters.stores.rows import EVENT_COLUMNS, MOST_ATTEMPTS

#: The database's clock in the form in which times are stored (3.40 has no unixepoch('subsec')).
NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
_LATER = "strftime('%Y-%m-%d %H:%M:%f', 'now', ?)"

RUNNABLE = f"""(
    h.status IN ('queued', 'running') OR (h.status = 'waiting' AND h.due_at <= {NOW})
  ) AND (h.owner IS NULL OR h.lease_until <= {NOW})"""

CLAIM = f"""epoch = epoch + 1, owner = ?, released = 0,
    attempts = min(attempts + 1, {MOST_ATTEMPTS}),
    lease_until = {_LATER}, status = 'running', waiting_for = NULL, due_at = NULL,
    updated_at = {NOW}"""

RENEW = f"""UPDATE agents_head SET lease_until = {_LATER}
    WHERE session_id = ? AND epoch = ? AND owner = ? RETURNING session_id, seq"""

#: What has to find nothing before a head may move: the statement, its table, the values it takes.
FENCES = (
    (
        # An interrupt is decided once, and by people only before it expires.
        f"""SELECT 1 WHERE NOT EXISTS (
              SELECT 1 FROM agents_interrupt
              WHERE session_id = ? AND id = ? AND status = 'pending'
                AND (? = 'expired' OR expires_at IS NULL OR expires_at > {NOW}))""",
        "decisions",
        (0, 1, 4),
    ),
    (
        """SELECT 1 FROM agents_interrupt
           WHERE session_id = ? AND decision_seq = ? AND consumed_at IS NOT NULL""",
        "consumed",
        (0, 1),
    ),
)

#: Everything but the columns of an index: SQLite writes its page anew even for equal values.
MOVE = f"""UPDATE agents_head SET
    seq = ?4, hash = coalesce(?5, hash), waiting_for = ?7, run = ?9, inbox = ?10, pending = ?11,
    tokens_input = ?12, tokens_output = ?13, tokens_cached = ?14, tokens_reasoning = ?15,
    cost = ?16, owner = CASE WHEN ?17 THEN NULL ELSE owner END,
    lease_until = CASE WHEN ?17 THEN NULL ELSE lease_until END,
    released = released OR ?17,
    attempts = CASE WHEN ?18 OR ?17 THEN 0 ELSE attempts END,
    cancel_seq = coalesce(?19, cancel_seq), updated_at = {NOW}
  WHERE session_id = ?1 AND seq = ?2 AND (?3 IS NULL OR epoch = ?3)"""

STATUS = """UPDATE agents_head SET status = ?2, due_at = ?3
  WHERE session_id = ?1 AND (status <> ?2 OR due_at IS NOT ?3)"""

_INTERRUPT = (
    "session_id", "id", "seq", "agent", "kind", "address", "tool", "digest", "allowed",
    "required_role", "expires_at", "on_expiry", "created_at", "status", "decision",
    "decision_seq", "decided_by", "decided_at", "consumed_at",
)  # fmt: skip


def _insert(table: str, columns: tuple[str, ...], **constants: int) -> str:
    names = ", ".join([*columns, *constants])
    marks = ", ".join([*("?" * len(columns)), *map(str, constants.values())])
    return f"INSERT INTO {table} ({names}) VALUES ({marks})"


#: Tables of a batch that hold no times, so that nothing in them needs another form.
TIMELESS = frozenset({"events", "consumed", "vault", "blobs", "checkpoints"})

#: What is written once the head has moved, in this order: the statement and its table.
WRITES = (
    (_insert("agents_event", EVENT_COLUMNS), "events"),
    (_insert("agents_interrupt", _INTERRUPT, quorum=1), "interrupts"),
    (
        """UPDATE agents_interrupt SET status = ?5, decision = ?4, decision_seq = ?3,
             decided_by = ?6, decided_at = ?7, consumed_at = ?8
           WHERE session_id = ?1 AND id = ?2""",
        "decisions",
    ),
    (
        f"""UPDATE agents_interrupt SET consumed_at = {NOW}
            WHERE session_id = ?1 AND decision_seq = ?2""",
        "consumed",
    ),
    (
        """UPDATE agents_session SET outcome = ?2, answer = ?3, error = ?4, ended_at = ?5
           WHERE id = ?1 AND ?6 IS NOT NULL""",
        "ended",
    ),
    (
        # Open questions close with their run.
        """UPDATE agents_interrupt SET status = 'cancelled'
           WHERE session_id = ?1 AND status = 'pending' AND ?6""",
        "ended",
    ),
    (
        """INSERT OR IGNORE INTO agents_vault (root_id, id, type, ciphertext)
           SELECT coalesce(root_id, id), ?2, ?3, ?4 FROM agents_session WHERE id = ?1""",
        "vault",
    ),
    (
        """INSERT OR IGNORE INTO agents_blob (root_id, sha256, data)
           SELECT coalesce(root_id, id), ?2, ?3 FROM agents_session WHERE id = ?1""",
        "blobs",
    ),
    (
        """INSERT INTO agents_checkpoint (session_id, address, step, seq, state)
           VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (session_id, address, step)
           DO UPDATE SET seq = excluded.seq, state = excluded.state""",
        "checkpoints",
    ),
    (
        # Of each activation the newest checkpoint stays, and every 50th.
        """DELETE FROM agents_checkpoint WHERE session_id = ?1 AND address = ?2
             AND step < ?3 AND step % 50 <> 0 AND ?5 IS NOT NULL""",
        "checkpoints",
    ),
)
