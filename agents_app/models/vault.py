"""Sealed values of a session tree. Destroying the root's key erases them all."""

from django.db import models
from django.db.models.functions import Now


class RootKey(models.Model):
    """The key of a session tree, wrapped by ``PLAYHEAD_VAULT_KEY``."""

    root = models.OneToOneField(
        "agents.Session", models.CASCADE, primary_key=True, related_name="+"
    )
    wrapped = models.BinaryField()
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return str(self.root_id)


class Vault(models.Model):
    """One sealed value, encrypted with its root's key."""

    pk = models.CompositePrimaryKey("root_id", "id")
    root = models.ForeignKey("agents.Session", models.CASCADE, related_name="+", db_index=False)
    id = models.CharField(max_length=80)
    type = models.CharField(max_length=40)
    ciphertext = models.BinaryField()

    def __str__(self) -> str:
        return self.id
