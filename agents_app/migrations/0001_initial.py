import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('accounts', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='Agent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('workspace', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                ('slug', models.CharField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('description', models.TextField(blank=True, default='')),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('updated_at', models.DateTimeField(auto_now=True)),
            ],
            options={
                'ordering': ['slug'],
                'constraints': [models.UniqueConstraint(fields=('workspace', 'slug'), name='agents_agent_slug')],
            },
        ),
        migrations.CreateModel(
            name='AgentVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('agent', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='agents.agent')),
                ('number', models.PositiveIntegerField()),
                ('definition', models.TextField()),
                ('digest', models.CharField(max_length=80)),
                ('note', models.TextField(blank=True, default='')),
                ('created_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'ordering': ['agent', 'number'],
                'constraints': [models.UniqueConstraint(fields=('agent', 'number'), name='agents_version_number')],
            },
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(max_length=40)),
                ('workspace', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.workspace')),
                ('agent_version', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='agents.agentversion')),
                ('parent', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='agents.session')),
                ('fork_seq', models.PositiveIntegerField(null=True)),
                ('root', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='agents.session')),
                ('lineage', models.JSONField(default=list)),
                ('title', models.CharField(blank=True, default='', max_length=200)),
                ('tags', models.JSONField(default=list)),
                ('model', models.CharField(blank=True, default='', max_length=200)),
                ('created_by', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('outcome', models.CharField(max_length=20, null=True)),
                ('answer', models.TextField(null=True)),
                ('error', models.JSONField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('search', models.TextField(blank=True, default='')),
                ('imported', models.BooleanField(default=False)),
            ],
            options={
                'indexes': [models.Index(fields=['workspace', '-id'], name='agents_session_recent'), models.Index(fields=['root'], name='agents_session_root')],
                'constraints': [models.UniqueConstraint(fields=('public_id',), name='agents_session_public_id')],
            },
        ),
        migrations.CreateModel(
            name='Head',
            fields=[
                ('session', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='head', serialize=False, to='agents.session')),
                ('seq', models.IntegerField(default=0)),
                ('hash', models.BinaryField(default=b'\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00', max_length=32)),
                ('epoch', models.IntegerField(default=0)),
                ('owner', models.CharField(max_length=80, null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('released', models.BooleanField(default=True)),
                ('attempts', models.SmallIntegerField(default=0)),
                ('status', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('waiting', 'Waiting'), ('paused', 'Paused'), ('finished', 'Finished'), ('limit', 'Limit'), ('cancelled', 'Cancelled'), ('failed', 'Failed')], default='queued', max_length=12)),
                ('waiting_for', models.CharField(max_length=12, null=True)),
                ('due_at', models.DateTimeField(null=True)),
                ('run', models.IntegerField(default=0)),
                ('inbox', models.IntegerField(default=0)),
                ('pending', models.IntegerField(default=0)),
                ('tokens_input', models.BigIntegerField(default=0, null=True)),
                ('tokens_output', models.BigIntegerField(default=0, null=True)),
                ('tokens_cached', models.BigIntegerField(default=0, null=True)),
                ('tokens_reasoning', models.BigIntegerField(default=0, null=True)),
                ('cost', models.DecimalField(decimal_places=12, default=0, max_digits=24, null=True)),
                ('cancel_seq', models.IntegerField(null=True)),
                ('updated_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status__in', ['queued', 'running']), ('due_at__isnull', False), _connector='OR'), fields=['session'], name='agents_head_runnable')],
            },
        ),
        migrations.CreateModel(
            name='Event',
            fields=[
                ('pk', models.CompositePrimaryKey('session_id', 'seq', blank=True, editable=False, primary_key=True, serialize=False)),
                ('session', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='agents.session')),
                ('ts', models.BigIntegerField()),
                ('seq', models.IntegerField()),
                ('cause', models.IntegerField(null=True)),
                ('ms', models.IntegerField(null=True)),
                ('tokens_in', models.IntegerField(null=True)),
                ('tokens_out', models.IntegerField(null=True)),
                ('kind', models.SmallIntegerField()),
                ('error', models.BooleanField()),
                ('hash', models.BinaryField(max_length=32)),
                ('scope', models.TextField(null=True)),
                ('label', models.TextField()),
                ('tool', models.TextField(null=True)),
                ('status', models.TextField(null=True)),
                ('cost', models.DecimalField(decimal_places=12, max_digits=24, null=True)),
                ('marks', models.BinaryField(null=True)),
                ('body', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='Blob',
            fields=[
                ('pk', models.CompositePrimaryKey('root_id', 'sha256', blank=True, editable=False, primary_key=True, serialize=False)),
                ('root', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='agents.session')),
                ('sha256', models.BinaryField(max_length=32)),
                ('data', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('pk', models.CompositePrimaryKey('session_id', 'address', 'step', blank=True, editable=False, primary_key=True, serialize=False)),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='agents.session')),
                ('step', models.IntegerField()),
                ('seq', models.IntegerField()),
                ('address', models.TextField()),
                ('state', models.BinaryField()),
            ],
        ),
        migrations.CreateModel(
            name='LateResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='agents.session')),
                ('call_seq', models.IntegerField()),
                ('epoch', models.PositiveIntegerField()),
                ('body', models.BinaryField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Erasure',
            fields=[
                ('session', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='+', serialize=False, to='agents.session')),
            ],
        ),
        migrations.CreateModel(
            name='Interrupt',
            fields=[
                ('id', models.TextField(primary_key=True, serialize=False)),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='agents.session')),
                ('seq', models.IntegerField()),
                ('agent', models.TextField()),
                ('kind', models.CharField(max_length=20)),
                ('address', models.TextField()),
                ('tool', models.TextField(null=True)),
                ('digest', models.TextField()),
                ('allowed', models.JSONField(default=list)),
                ('required_role', models.CharField(max_length=20)),
                ('expires_at', models.DateTimeField(null=True)),
                ('on_expiry', models.TextField(null=True)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('decided', 'Decided'), ('expired', 'Expired'), ('cancelled', 'Cancelled')], default='pending', max_length=12)),
                ('decision', models.CharField(max_length=20, null=True)),
                ('decision_seq', models.IntegerField(null=True)),
                ('decided_by', models.JSONField(null=True)),
                ('decided_at', models.DateTimeField(null=True)),
                ('consumed_at', models.DateTimeField(null=True)),
                ('quorum', models.PositiveSmallIntegerField(default=1)),
                ('delegated_to', models.JSONField(null=True)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
            options={
                'indexes': [models.Index(fields=['session', 'seq'], name='agents_interrupt_session'), models.Index(condition=models.Q(('status', 'pending')), fields=['expires_at'], name='agents_interrupt_pending')],
            },
        ),
        migrations.CreateModel(
            name='RootKey',
            fields=[
                ('root', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to='agents.session')),
                ('wrapped', models.BinaryField()),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Vault',
            fields=[
                ('pk', models.CompositePrimaryKey('root_id', 'id', blank=True, editable=False, primary_key=True, serialize=False)),
                ('root', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='agents.session')),
                ('id', models.CharField(max_length=80)),
                ('type', models.CharField(max_length=40)),
                ('ciphertext', models.BinaryField()),
            ],
        ),
    ]
