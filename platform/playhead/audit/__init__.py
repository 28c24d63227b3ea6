"""Who did what: entries are added, never changed."""
