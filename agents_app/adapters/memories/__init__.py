"""Memories behind the memory port: by words in the database's full-text search, and by likeness."""
