CREATE TABLE services (name TEXT PRIMARY KEY, version TEXT, previous TEXT, error_rate REAL, since TEXT);
CREATE TABLE runbooks (topic TEXT PRIMARY KEY, body TEXT);
CREATE TABLE changes (key TEXT PRIMARY KEY, service TEXT, what TEXT, at TEXT DEFAULT (datetime('now')));
INSERT INTO services VALUES
  ('checkout', '2.14.0', '2.13.4', 12.5, '09:38'),
  ('search', '5.2.1', '5.2.0', 0.1, '08:05'),
  ('mailer', '1.9.7', '1.9.6', 0.0, '07:30');
INSERT INTO runbooks VALUES
  ('release', 'Errors that begin with a release: roll the service back to the version before, then check its error rate. Tell the team that released.'),
  ('load', 'Errors that come with load: add instances, then check the error rate.');
