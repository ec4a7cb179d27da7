"""
A nightly sync with a CRM: its customers become the contacts of a data source, and the outcomes of
calls come back as a file. Python 3.9 or later. Run it once a night, for example by cron:

    python3 examples/crm_sync.py customers.csv "CRM customers"

customers.csv has a title row with at least `phoneNumber` and `customerId`. Its other columns become
fields of the contacts.

- Customers are added, or updated by their phone number. Tasks that run see them at once.
- Customers that left the file are deleted, and former numbers of a customer: each run marks its
  contacts in the field `syncRun`, and deletes those with an older mark. If these are more than a
  tenth (and more than 10), the file may be cut: nothing is deleted.
- `results-<place>.csv` has the contacts that were settled since the last run: reached, given up or
  blocked. The place in the list of events is stored after the file. A run that was killed is simply
  started again, and writes the same file.
"""
import csv
import itertools
import json
import os
import sys
import uuid
from datetime import datetime, timezone
from urllib.parse import quote

from service import ask

BATCH = 2000  # A request takes at most 5,000 contacts, and on AWS at most 4 MB.
PAGE = 500
TITLES = 'eventId customerId outcome reason lastCallTime disposition summary'.split()
STATE = os.environ.get('SYNC_STATE', 'crm_sync.json')


def rows_of(path):
    for page in itertools.count(1):
        rows = ask(f'{path}pageSize={PAGE}&pageNum={page}')['rows']
        yield from rows
        if len(rows) < PAGE:
            return


def data_source(name):
    """The id of the data source of that name, which is added if it is missing."""
    for row in rows_of(f'dataSource/list?dataSourceName={quote(name)}&'):
        if row['dataSourceName'] == name:
            return row['id']
    return ask('dataSource/add', {'dataSourceName': name}, key=str(uuid.uuid4()))['id']


def send(source, customers, run):
    """How many rows were taken, and the ids of the customers whose rows were refused."""
    taken, refused = 0, set()
    for at in range(0, len(customers), BATCH):
        contacts = [{**customer, 'syncRun': run} for customer in customers[at : at + BATCH]]
        body = {'contacts': contacts, 'onDuplicate': 'update'}
        report = ask(f'dataSource/{source}/contact/batchAdd', body, key=str(uuid.uuid4()))
        taken += report['successCount']
        for row in report['details']:
            customer = contacts[row['row'] - 1]['customerId']
            refused.add(customer)
            print(f'customer {customer}: {row["message"]}', file=sys.stderr)
    return taken, refused


def delete_missing(source, contacts, run, refused):
    older = [contact for contact in contacts if contact.get('syncRun') != run]
    missing = [contact['id'] for contact in older if contact.get('customerId') not in refused]
    if len(missing) > max(len(contacts) / 10, 10):
        sys.exit(f'{len(missing)} of {len(contacts)} contacts are missing: nothing was deleted')
    for at in range(0, len(missing), 1000):
        body = {'contactIds': missing[at : at + 1000]}
        ask(f'dataSource/{source}/contact/batchDelete', body)
    return len(missing)


def write_whole(path, write):
    """Readers see the previous file or the whole new one."""
    with open(f'{path}.part', 'w', newline='', encoding='utf-8') as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(f'{path}.part', path)


def fetch_results(source, customer_of):
    """Writes what was settled since the last run. Returns how many contacts that were."""
    start = after = json.load(open(STATE))['after'] if os.path.exists(STATE) else ''
    rows, more = [TITLES], True
    while more:
        answer = ask(f'event/list?types=contact.settled&expand=call&limit=200&after={after}')
        after, more = answer['next'], answer['more']
        for event in answer['events']:
            data = event['data']
            if data['dataSourceId'] == source:
                told = {**(event['call'] or {}), **data, 'eventId': event['id']}
                told['customerId'] = customer_of.get(data['contactId'])
                rows.append([told.get(title) for title in TITLES])
    name = f'results-{start or "first"}.csv'
    write_whole(name, lambda file: csv.writer(file).writerows(rows))
    write_whole(STATE, lambda file: json.dump({'after': after}, file))
    return len(rows) - 1


def sync(path, name):
    run = datetime.now(timezone.utc).isoformat()
    with open(path, newline='', encoding='utf-8-sig') as file:
        customers = list(csv.DictReader(file))
    source = data_source(name)
    taken, refused = send(source, customers, run)
    contacts = list(rows_of(f'dataSource/{source}/contacts?'))
    # Before contacts are deleted: each result needs the id of its customer.
    settled = fetch_results(source, {each['id']: each.get('customerId') for each in contacts})
    deleted = delete_missing(source, contacts, run, refused)
    print(f'{taken} customers, {len(refused)} refused, {deleted} deleted, {settled} results')


if __name__ == '__main__':
    sync(*sys.argv[1:3])
