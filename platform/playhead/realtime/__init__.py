"""What every socket stands on: origin, sign-in, wake-ups after commit, slow readers."""
