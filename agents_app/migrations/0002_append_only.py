"""The log is append-only in the database itself, and laid out for its writers.

UPDATE of an event is refused always, DELETE unless ``agents_erasure`` names its session: the one
door, used by ``LogStore.erase`` in one transaction.
"""

from django.db import migrations

POSTGRES = [
    """
    CREATE FUNCTION agents_event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'DELETE' AND EXISTS (
            SELECT 1 FROM agents_erasure WHERE session_id = OLD.session_id
        ) THEN
            RETURN OLD;
        END IF;
        RAISE EXCEPTION 'the log is append-only: % of event %:% refused',
            TG_OP, OLD.session_id, OLD.seq USING ERRCODE = 'restrict_violation';
    END $$
    """,
    """
    CREATE TRIGGER agents_event_append_only BEFORE UPDATE OR DELETE ON agents_event
    FOR EACH ROW EXECUTE FUNCTION agents_event_append_only()
    """,
    # Bodies are compressed before they come here: a second try by the server is wasted.
    "ALTER TABLE agents_event ALTER COLUMN body SET STORAGE EXTERNAL",
    "ALTER TABLE agents_blob ALTER COLUMN data SET STORAGE EXTERNAL",
    "ALTER TABLE agents_checkpoint ALTER COLUMN state SET STORAGE EXTERNAL",
    # A head is rewritten by every append: room in its page keeps the update out of the index.
    "ALTER TABLE agents_head SET (fillfactor = 50)",
    # Ids are looked up whole: Django's second index of a text key, for LIKE, is never used.
    "DROP INDEX IF EXISTS agents_interrupt_id_51857ba0_like",
]

POSTGRES_BACK = [
    "DROP TRIGGER agents_event_append_only ON agents_event",
    "DROP FUNCTION agents_event_append_only()",
]

SQLITE = [
    """
    CREATE TRIGGER agents_event_no_update BEFORE UPDATE ON agents_event
    BEGIN SELECT RAISE(ABORT, 'the log is append-only: UPDATE of an event refused'); END
    """,
    """
    CREATE TRIGGER agents_event_no_delete BEFORE DELETE ON agents_event
    WHEN NOT EXISTS (SELECT 1 FROM agents_erasure WHERE session_id = OLD.session_id)
    BEGIN SELECT RAISE(ABORT, 'the log is append-only: DELETE of an event refused'); END
    """,
]

SQLITE_BACK = [
    "DROP TRIGGER agents_event_no_update",
    "DROP TRIGGER agents_event_no_delete",
]


def run(postgres, sqlite):
    """An operation that runs the statements of the database it meets."""

    def forwards(apps, schema_editor):
        vendor = schema_editor.connection.vendor
        for statement in {"postgresql": postgres, "sqlite": sqlite}[vendor]:
            schema_editor.execute(statement, params=None)

    return forwards


class Migration(migrations.Migration):
    dependencies = [("agents", "0001_initial")]

    operations = [
        migrations.RunPython(run(POSTGRES, SQLITE), run(POSTGRES_BACK, SQLITE_BACK), elidable=False),
    ]
