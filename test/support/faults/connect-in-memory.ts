type Request = { method: string; path: string; body?: string | Uint8Array };
export type Started = { contactId: string; token: string; attributes: Record<string, string> };

const answer = (body: object, statusCode = 200) => ({
  response: {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
  },
});

const answered = 1_777_888_800;
const hungUp = answered + 30;

/**
 * As much of Amazon Connect as the adapter uses: a token starts one call however often it is sent.
 */
export class ConnectInMemory {
  readonly started: Started[] = [];
  /** The contacts that did not answer. */
  readonly unanswered = new Set<string>();

  readonly requestHandler = {
    handle: async ({ path, body = '' }: Request) => {
      const [, first, second, third = ''] = path.split('/');
      if (first === 'contact' && second === 'outbound-voice')
        return this.#start(JSON.parse(Buffer.from(body as string).toString()));
      if (first === 'contacts') return this.#describe(third);
      if (first === 'contact' && second === 'attributes')
        return answer({ Attributes: this.#found(path.split('/').at(-1) ?? '')?.attributes ?? {} });
      throw new Error(`no such request: ${path}`);
    },
  };

  #found = (contactId: string) => this.started.find((each) => each.contactId === contactId);

  #start({ ClientToken, Attributes }: { ClientToken: string; Attributes: Record<string, string> }) {
    const known = this.started.find(({ token }) => token === ClientToken);
    const contactId = known?.contactId ?? `contact-${this.started.length + 1}`;
    if (known === undefined) this.started.push({ contactId, token: ClientToken, attributes: Attributes });
    return answer({ ContactId: contactId });
  }

  /** Every call has ended. */
  #describe(contactId: string) {
    const contact = this.#found(contactId);
    if (contact === undefined) return answer({ message: 'no such contact' }, 404);
    return answer({
      Contact: {
        Id: contactId,
        InitiationMethod: 'API',
        Channel: 'VOICE',
        ...(!this.unanswered.has(contactId) && { ConnectedToSystemTimestamp: answered }),
        DisconnectTimestamp: hungUp,
        DisconnectReason: 'CUSTOMER_DISCONNECT',
        Attributes: contact.attributes,
      },
    });
  }
}
