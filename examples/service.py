"""Requests to the service, sent again until they are answered. The other examples use this file."""
import base64
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

BASE_URL = os.environ.get('BASE_URL', 'http://127.0.0.1:3000')
TOKEN_URL = os.environ.get('TOKEN_URL')
LONGEST_WAIT = 30  # seconds
LATER = ('STILL_RUNNING', 'IMPORT_RUNNING')  # 409s after which the same request may succeed


class Refused(Exception):
    """Sending the request again would change nothing. `word` is the header X-Error-Code."""

    def __init__(self, status, word, message):
        super().__init__(f'{status} {word}: {message}')
        self.status, self.word = status, word


class Token:
    """TOKEN, or with TOKEN_URL a token that is renewed in the last tenth of its life."""

    def __init__(self):
        self.text = os.environ.get('TOKEN', 'local-dev-token')
        self.renew_from = self.expires = 0 if TOKEN_URL else float('inf')
        self.lock = threading.Lock()

    def after(self, refused):
        """The token to send. `refused` is one that the service did not accept, or None."""
        with self.lock:
            is_refused = TOKEN_URL and refused == self.text
            if is_refused or time.time() >= self.renew_from:
                try:
                    self.renew()
                except OSError:
                    # Until it expires, the old token serves while the issuer gives no other one.
                    if is_refused or time.time() >= self.expires:
                        raise
            return self.text

    def renew(self):
        client = f'{os.environ["CLIENT_ID"]}:{os.environ["CLIENT_SECRET"]}'
        headers = {'Authorization': f'Basic {base64.b64encode(client.encode()).decode()}'}
        form = urllib.parse.urlencode({'grant_type': 'client_credentials'}).encode()
        request = urllib.request.Request(TOKEN_URL, form, headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            answer = json.load(response)
        self.text, seconds = answer['access_token'], answer['expires_in']
        self.renew_from, self.expires = time.time() + seconds * 0.9, time.time() + seconds


token = Token()


def ask(path, body=None, key=None):
    """
    `data` of the answer: of a POST if there is a body, otherwise of a GET. With a `key` the request
    is carried out once, however often it is sent. Raises Refused.
    """
    data = None if body is None else json.dumps(body).encode()
    refused, wait = None, 0.5
    while True:
        sent = token.after(refused)
        headers = {'Authorization': f'Bearer {sent}', 'Content-Type': 'application/json'}
        if key:
            headers['Idempotency-Key'] = key
        asked_to_wait = 0
        try:
            request = urllib.request.Request(f'{BASE_URL}/api/{path}', data, headers)
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)['data']
        except urllib.error.HTTPError as error:
            word = error.headers.get('X-Error-Code')
            if error.code == 401 and TOKEN_URL and refused is None:
                refused = sent
                continue
            says_later = error.code == 429 or error.code >= 500 or word in LATER
            if not says_later:
                raise Refused(error.code, word, json.load(error)['message']) from None
            asked_to_wait = int(error.headers.get('Retry-After') or 0)
        except OSError:
            pass  # No answer: whether the request was carried out is not known.
        time.sleep(max(wait, asked_to_wait))
        wait = min(2 * wait, LONGEST_WAIT)


def conflict_of(path, body):
    """The word of a 409, or None if the request was accepted."""
    try:
        ask(path, body)
    except Refused as refused:
        if refused.status != 409:
            raise
        return refused.word
