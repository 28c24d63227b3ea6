"""What the console lists is found by an index: sessions by status, questions by time, counts."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0002_append_only")]

    operations = [
        migrations.AddIndex(
            model_name="head",
            index=models.Index(fields=["status", "-session"], name="agents_head_status"),
        ),
        migrations.AddIndex(
            model_name="interrupt",
            index=models.Index(fields=["-created_at", "-id"], name="agents_interrupt_recent"),
        ),
        migrations.AddIndex(
            model_name="session",
            index=models.Index(fields=["workspace", "agent_version"], name="agents_session_agent"),
        ),
    ]
