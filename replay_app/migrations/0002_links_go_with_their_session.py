"""What a link shows goes with what it was made from.

A session is erased, and a tree's key destroyed, by the store of the log, which knows no links: so
the database itself takes them along, whoever deletes.
"""

from django.db import migrations

_OF_TREE = """DELETE FROM replay_sharelink WHERE session_id IN (
    SELECT id FROM agents_session WHERE id = OLD.root_id OR root_id = OLD.root_id)"""

POSTGRES = [
    """
    CREATE FUNCTION replay_link_erased() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM replay_sharelink WHERE session_id = OLD.id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER replay_link_erased AFTER DELETE ON agents_session
    FOR EACH ROW EXECUTE FUNCTION replay_link_erased()
    """,
    f"""
    CREATE FUNCTION replay_link_unkeyed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        {_OF_TREE};
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER replay_link_unkeyed AFTER DELETE ON agents_rootkey
    FOR EACH ROW EXECUTE FUNCTION replay_link_unkeyed()
    """,
]

POSTGRES_BACK = [
    "DROP TRIGGER replay_link_unkeyed ON agents_rootkey",
    "DROP FUNCTION replay_link_unkeyed()",
    "DROP TRIGGER replay_link_erased ON agents_session",
    "DROP FUNCTION replay_link_erased()",
]

SQLITE = [
    """
    CREATE TRIGGER replay_link_erased AFTER DELETE ON agents_session
    BEGIN DELETE FROM replay_sharelink WHERE session_id = OLD.id; END
    """,
    f"""
    CREATE TRIGGER replay_link_unkeyed AFTER DELETE ON agents_rootkey
    BEGIN {_OF_TREE}; END
    """,
]

SQLITE_BACK = ["DROP TRIGGER replay_link_unkeyed", "DROP TRIGGER replay_link_erased"]


def run(postgres, sqlite):
    """An operation that runs the statements of the database it meets."""

    def forwards(apps, schema_editor):
        vendor = schema_editor.connection.vendor
        for statement in {"postgresql": postgres, "sqlite": sqlite}[vendor]:
            schema_editor.execute(statement, params=None)

    return forwards


class Migration(migrations.Migration):
    dependencies = [("replay", "0001_initial"), ("agents", "0002_append_only")]

    operations = [
        migrations.RunPython(run(POSTGRES, SQLITE), run(POSTGRES_BACK, SQLITE_BACK), elidable=False),
    ]
