"""Rate limits count across worker processes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("agents", "0005_agents_of_people")]

    operations = [
        migrations.CreateModel(
            name="Rate",
            fields=[
                ("name", models.CharField(max_length=300, primary_key=True, serialize=False)),
                ("until", models.FloatField()),
            ],
        ),
    ]
