"""Running it: the command line, health, doctor, the front end's files, logs."""
