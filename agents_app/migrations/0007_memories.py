"""What agents remember, and the full-text search over it: FTS5, or PostgreSQL's."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

POSTGRES = [
    """
    CREATE INDEX agents_memory_words ON agents_memory
    USING gin (to_tsvector('simple', terms))
    """,
]
POSTGRES_BACK = ["DROP INDEX agents_memory_words"]

SQLITE = [
    "CREATE VIRTUAL TABLE agents_memory_words USING fts5(terms)",
    """
    CREATE TRIGGER agents_memory_new AFTER INSERT ON agents_memory
    BEGIN INSERT INTO agents_memory_words (rowid, terms) VALUES (NEW.id, NEW.terms); END
    """,
    """
    CREATE TRIGGER agents_memory_other AFTER UPDATE OF terms ON agents_memory
    BEGIN UPDATE agents_memory_words SET terms = NEW.terms WHERE rowid = OLD.id; END
    """,
    """
    CREATE TRIGGER agents_memory_gone AFTER DELETE ON agents_memory
    BEGIN DELETE FROM agents_memory_words WHERE rowid = OLD.id; END
    """,
]
SQLITE_BACK = [
    "DROP TRIGGER agents_memory_gone",
    "DROP TRIGGER agents_memory_other",
    "DROP TRIGGER agents_memory_new",
    "DROP TABLE agents_memory_words",
]


def run(postgres, sqlite):
    """An operation that runs the statements of the database it meets."""

    def forwards(apps, schema_editor):
        vendor = schema_editor.connection.vendor
        for statement in {"postgresql": postgres, "sqlite": sqlite}[vendor]:
            schema_editor.execute(statement, params=None)

    return forwards


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("agents", "0006_rates"),
    ]

    operations = [
        migrations.CreateModel(
            name="Memory",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("space", models.CharField(max_length=250)),
                ("key", models.CharField(max_length=200)),
                ("text", models.TextField()),
                ("terms", models.TextField(blank=True, default="")),
                ("vector", models.BinaryField(null=True)),
                ("created_at", models.DateTimeField(db_default=Now())),
                ("updated_at", models.DateTimeField(db_default=Now())),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="accounts.workspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("workspace", "space", "key"), name="agents_memory_key"
                    )
                ],
            },
        ),
        migrations.RunPython(run(POSTGRES, SQLITE), run(POSTGRES_BACK, SQLITE_BACK), elidable=False),
    ]
