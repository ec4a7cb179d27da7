"""
A dialer: leases calls, makes them with its lines, and reports how they ended. Python 3.9 or later.

    python3 examples/dialer.py [task id]

`place_call` is the part that you write. It may block, because each line is a thread. It answers

- a result, `{'outcome': 'success', 'duration': 42}`: the dialer reports it;
- `BY_AGENT`: a voice agent in another process reports it. The dialer keeps the lease until then;
- `NOT_STARTED`: no call was made. The contact is given back and called later.

Where LiveKit's call goes: in `place_call`, dispatch your agent with `call['callId']` in its
metadata, then `create_sip_participant` with `sip_call_to=call['phoneNumber']` and
`wait_until_answered=True`, both by `asyncio.run`. If that raises, nobody answered: answer a result
by the SIP status (486 is `noAnswer`, `busy`). Otherwise answer `BY_AGENT`. Where Pipecat's call
goes: POST the `/start` of your bot with the callId and the number in its `body`, then answer
`BY_AGENT`. The bot dials when it has joined its room. Either agent ends with a request of its own:
POST /api/dialer/result with callId, outcome, duration, `disposition`, `data` and `summary`.

How the dialer learns that the agent has reported: from then on `extend` and `release` are 409
`ALREADY_REPORTED`. An agent that died never reports. After LONGEST_CALL the dialer reports the call
as failed, and the rules of the task decide when the contact is called again.
"""
import signal
import sys
import threading
import time
import uuid
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

from service import ask, conflict_of

LINES = 10
LEASE_SECONDS = 120
ASK_SECONDS = 10  # A line stays busy for so long after its agent has reported.
LONGEST_CALL = 1800  # seconds
BY_AGENT, NOT_STARTED = 'by agent', 'not started'


def place_call(call, task):
    """`call` has phoneNumber, callerNumber and fields, `task` has taskName and callSettings."""
    print('calling', call['phoneNumber'], call['fields'], flush=True)
    return {'outcome': 'success', 'duration': 42}


def extend(call_id):
    """LEASE_LOST is no reason to end a call: its result counts, unless it was leased again."""
    return conflict_of('dialer/extend', {'callId': call_id, 'leaseSeconds': LEASE_SECONDS})


def keep_lease(call_id, is_over):
    while not is_over.wait(LEASE_SECONDS / 3):
        extend(call_id)


def result_after_agent(call_id):
    """The result to report instead of the agent, or None if the agent has reported."""
    latest = time.monotonic() + LONGEST_CALL
    while time.monotonic() < latest:
        if extend(call_id) == 'ALREADY_REPORTED':
            return None
        time.sleep(ASK_SECONDS)
    return {'outcome': 'failed', 'reason': 'other'}


def report(call_id, result):
    conflict = conflict_of('dialer/result', {'callId': call_id, **result})
    if conflict in ('TOO_MANY_CALLBACKS', 'CALLBACK_TOO_LATE'):
        conflict_of('dialer/result', {'callId': call_id, **result, 'callbackTime': None})


def make(call, task, place):
    call_id = call['callId']
    is_over = threading.Event()
    threading.Thread(target=keep_lease, args=(call_id, is_over), daemon=True).start()
    try:
        result = place(call, task)
    except Exception as error:
        print(repr(error), file=sys.stderr)
        result = {'outcome': 'failed', 'reason': 'other'}
    finally:
        is_over.set()
    if result == BY_AGENT:
        result = result_after_agent(call_id)
    if result == NOT_STARTED:
        conflict_of('dialer/release', {'callId': call_id, 'waitSeconds': 60})
    elif result is not None:
        report(call_id, result)


def dial(task_id=None, place=place_call, stop=None):
    """Calls until the task has ended, or `stop` is set, and the last call is reported."""
    stop = stop or threading.Event()
    busy = set()
    with ThreadPoolExecutor(LINES) as lines:
        while not stop.is_set():
            free = LINES - len(busy)
            body = {'limit': min(free, 100), 'leaseSeconds': LEASE_SECONDS, 'taskId': task_id}
            # With a key, a lease whose answer got lost is answered again with the same calls.
            answer = ask('dialer/lease', body, key=str(uuid.uuid4()))
            if answer.get('taskStatus', 0) > 2:
                break
            for call in answer['calls']:
                busy.add(lines.submit(make, call, answer['tasks'][call['taskId']], place))
            if not busy:
                stop.wait(answer['retryAfterSeconds'])
                continue
            # A line that becomes free asks at once: its result may have made a contact callable.
            pause = None if len(busy) == LINES else answer['retryAfterSeconds']
            ended, busy = wait(busy, pause, FIRST_COMPLETED)
            for line in ended:
                line.result()  # Raises what ended the line.


if __name__ == '__main__':
    stopped = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: stopped.set())
    dial(*sys.argv[1:2], stop=stopped)
