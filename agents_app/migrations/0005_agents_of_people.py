"""Agents that people make: where an agent is from, which version is published, what was written.

What is there came from code: its newest version is the one that sessions get. Versions that came
with a recorded session had a note that said so, and get a mark of their own.
"""

from django.db import migrations, models
from django.db.models import F, OuterRef, Subquery


def publish(apps, _schema_editor):
    agents = apps.get_model("agents", "Agent").objects
    versions = apps.get_model("agents", "AgentVersion").objects
    versions.filter(note="imported").update(imported=True, note="")
    versions.filter(imported=False).update(published_at=F("created_at"))
    newest = versions.filter(agent=OuterRef("pk"), imported=False).order_by("-number")
    agents.update(published=Subquery(newest.values("number")[:1]))


def forget(apps, _schema_editor):
    versions = apps.get_model("agents", "AgentVersion").objects
    versions.filter(imported=True).update(note="imported")


class Migration(migrations.Migration):
    dependencies = [("agents", "0004_saved_states")]

    operations = [
        migrations.AddField(
            "agent",
            "origin",
            models.CharField(
                choices=[("code", "Code"), ("console", "Console")], default="code", max_length=10
            ),
        ),
        migrations.AddField("agent", "published", models.PositiveIntegerField(null=True)),
        migrations.AddField("agentversion", "written", models.TextField(null=True)),
        migrations.AddField("agentversion", "imported", models.BooleanField(default=False)),
        migrations.AddField(
            "agentversion", "author", models.CharField(blank=True, default="", max_length=200)
        ),
        migrations.AddField("agentversion", "published_at", models.DateTimeField(null=True)),
        migrations.RunPython(publish, forget),
    ]
