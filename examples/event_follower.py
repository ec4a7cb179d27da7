"""
Follows the list of events and survives being killed at any moment. Python 3.9 or later.

    python3 examples/event_follower.py

The place in the list (`next`) is stored in one transaction with what was done with the events
before it. After a kill the follower goes on behind the last event whose work is stored: no event is
missed, and none has an effect twice. If your work is elsewhere (an e-mail, another service), do it
before the place is stored. Then an event may come again after a kill, with the same id.
"""
import json
import os
import sqlite3
import time

from service import Refused, ask

TYPES = 'call.ended,contact.settled,task.state_changed'
PAUSE_SECONDS = float(os.environ.get('PAUSE_SECONDS', 5))

database = sqlite3.connect(os.environ.get('FOLLOWED_DB', 'followed.db'))
with database:
    database.execute('CREATE TABLE IF NOT EXISTS place (one INTEGER PRIMARY KEY, cursor TEXT)')
    database.execute('CREATE TABLE IF NOT EXISTS seen (event TEXT PRIMARY KEY)')
    database.execute(
        'CREATE TABLE IF NOT EXISTS outcomes '
        '(contact TEXT PRIMARY KEY, outcome TEXT, calls INTEGER)'
    )


def handle(event):
    """Your work. This example counts the calls of each contact and keeps its last outcome."""
    if event['type'] == 'call.ended':
        data = event['data']
        database.execute(
            'INSERT INTO outcomes VALUES (?, ?, 1) '
            'ON CONFLICT (contact) DO UPDATE SET outcome = excluded.outcome, calls = calls + 1',
            (data['contactId'], data['outcome']),
        )
    print(event['id'], event['type'], json.dumps(event['data']), flush=True)


def is_new(event):
    """The list may have an event twice, with the same id."""
    return database.execute('INSERT OR IGNORE INTO seen VALUES (?)', (event['id'],)).rowcount == 1


def follow():
    row = database.execute('SELECT cursor FROM place').fetchone()
    after = row[0] if row else ''
    while True:
        try:
            answer = ask(f'event/list?types={TYPES}&limit=500&after={after}')
        except Refused as refused:
            if refused.word != 'CURSOR_EXPIRED':
                raise
            # The follower was away for more than 30 days. The exports of calls have what it missed.
            after = ''
            continue
        with database:
            for event in answer['events']:
                if is_new(event):
                    handle(event)
            after = answer['next']
            database.execute('INSERT OR REPLACE INTO place VALUES (1, ?)', (after,))
        if not answer['more']:
            time.sleep(PAUSE_SECONDS)


if __name__ == '__main__':
    try:
        follow()
    except KeyboardInterrupt:
        pass
