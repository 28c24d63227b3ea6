"""The worker: many sessions on one event loop, each written by one fenced writer."""
