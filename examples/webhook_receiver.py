"""
Receives webhooks: verifies each delivery, stores it, answers, then handles it. Python 3.9 or later.

    WEBHOOK_SECRET=whsec_... python3 examples/webhook_receiver.py

An event that is answered with 2xx counts as delivered, so it is stored first, in `events.db` under
its `webhook-id`. A delivery that comes twice is stored once. After a restart the events that were
stored and not handled are handled.
"""
import base64
import hashlib
import hmac
import json
import os
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE = 300  # Seconds. An older delivery may have been recorded and sent again.
LARGEST = 1_000_000  # bytes


def handle(event):
    """Your work begins here. If the process dies in it, the event comes again: look at its id."""
    print(json.dumps(event), flush=True)


def is_signed(secret, headers, body):
    """Standard Webhooks: HMAC-SHA256 of `id.timestamp.body`. The key is base64 behind `whsec_`."""
    try:
        event_id, timestamp = headers['webhook-id'], headers['webhook-timestamp']
        if abs(time.time() - int(timestamp)) > TOLERANCE:
            return False
        key = base64.b64decode(secret[len('whsec_'):])
        # The body as it was received: parsed and written again, it would be another text.
        digest = hmac.new(key, f'{event_id}.{timestamp}.'.encode() + body, hashlib.sha256).digest()
        expected = f'v1,{base64.b64encode(digest).decode()}'
        # For a day after a new secret there are two signatures.
        signatures = headers['webhook-signature'].split(' ')
        return any(hmac.compare_digest(signature, expected) for signature in signatures)
    except (AttributeError, TypeError, ValueError):
        return False


class Store:
    """The events in a file. Each thread that uses it waits for its turn."""

    def __init__(self, path):
        self.lock = threading.Condition()
        self.database = sqlite3.connect(path, check_same_thread=False)
        self.database.execute(
            'CREATE TABLE IF NOT EXISTS events '
            '(id TEXT PRIMARY KEY, body TEXT, handled INTEGER DEFAULT 0)'
        )

    def add(self, event_id, body):
        with self.lock, self.database:
            insert = 'INSERT OR IGNORE INTO events (id, body) VALUES (?, ?)'
            self.database.execute(insert, (event_id, body))
            self.lock.notify()

    def work(self):
        """Handles the events one after another, in the order they came."""
        while True:
            with self.lock:
                first = 'SELECT id, body FROM events WHERE handled = 0 ORDER BY rowid LIMIT 1'
                while (row := self.database.execute(first).fetchone()) is None:
                    self.lock.wait()
            event_id, body = row
            handle({'id': event_id, **json.loads(body)})
            with self.lock, self.database:
                self.database.execute('UPDATE events SET handled = 1 WHERE id = ?', (event_id,))


class Receiver(ThreadingHTTPServer):
    # The service sends 32 events at a time, each on a connection of its own. Python's default of 5
    # lets some of them wait for a second or more.
    request_queue_size = 256

    def __init__(self, address, secret, store):
        self.secret, self.store = secret, store
        super().__init__(address, Delivery)


class Delivery(BaseHTTPRequestHandler):
    timeout = 15  # seconds without a byte

    def do_POST(self):
        length = int(self.headers.get('content-length') or 0)
        body = self.rfile.read(length) if 0 < length <= LARGEST else b''
        if not is_signed(self.server.secret, self.headers, body):
            self.send_response(400)
        else:
            self.server.store.add(self.headers['webhook-id'], body.decode())
            self.send_response(204)
        self.end_headers()

    def log_request(self, *_):
        pass


if __name__ == '__main__':
    if not os.environ.get('WEBHOOK_SECRET'):
        sys.exit('set WEBHOOK_SECRET to the secret that POST /api/webhook/add answered')
    store = Store(os.environ.get('EVENTS_DB', 'events.db'))
    threading.Thread(target=store.work, daemon=True).start()
    address = ('127.0.0.1', int(os.environ.get('PORT', 4000)))
    Receiver(address, os.environ['WEBHOOK_SECRET'], store).serve_forever()
