CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL);
CREATE TABLE orders (
  id TEXT PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id), item TEXT NOT NULL,
  paid TEXT NOT NULL, currency TEXT NOT NULL, delivered TEXT NOT NULL, source TEXT NOT NULL
);
CREATE TABLE refunds (
  id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, order_id TEXT NOT NULL,
  amount_cents INTEGER NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE VIRTUAL TABLE policies USING fts5(title, body);
INSERT INTO customers VALUES (1, 'Ana Torres', 'ana.torres@shop.example'), (2, 'Wei Chen', 'wei.chen@shop.example'),
  (3, 'Jonas Lind', 'jonas.lind@shop.example'), (4, 'Priya Nair', 'priya.nair@shop.example');
INSERT INTO orders VALUES
  ('1042', 1, 'Copper kettle 1.7 l', '89.00', 'EUR', '2026-11-18', 'web'),
  ('1055', 2, 'Hand grinder', '129.50', 'EUR', '2026-11-21', 'web'),
  ('1063', 3, 'Espresso cups, set of 6', '54.00', 'EUR', '2026-09-02', 'web'),
  ('1077', 4, 'Espresso machine', '48000', 'EUR', '2026-11-12', 'legacy import'),
  ('1081', 1, 'Water filter', '19.90', 'EUR', '2026-11-25', 'web');
INSERT INTO policies VALUES
  ('Damaged goods', 'An item that arrives damaged is refunded in full within 60 days of delivery. Ask for no return when the item is worth less than 100 EUR.'),
  ('Change of mind', 'A customer who has changed their mind may return an unused item within 30 days of delivery. We refund the price, not the shipping.'),
  ('Who approves', 'Every refund is approved by a person of the refund team before it is paid. Refunds above 500 EUR need a reason in writing.'),
  ('Late delivery', 'When a parcel is more than 10 days late, we refund the shipping costs at once and the whole order on request.');
