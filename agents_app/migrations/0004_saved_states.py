"""The states that the façade's store in the database keeps."""

from django.db import migrations, models
from django.db.models.functions import Now


class Migration(migrations.Migration):
    dependencies = [("agents", "0003_lists")]

    operations = [
        migrations.CreateModel(
            name="SavedState",
            fields=[
                (
                    "session_id",
                    models.CharField(max_length=200, primary_key=True, serialize=False),
                ),
                ("body", models.BinaryField()),
                ("updated_at", models.DateTimeField(db_default=Now())),
            ],
        ),
    ]
