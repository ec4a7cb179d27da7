import { expect } from 'vitest';
import { openStandIn, type StandInAnswer, type StandInRequest } from './http-stand-in.ts';

export const instanceId = '12345678-1234-1234-1234-123456789012';
export const flowId = '846ec553-a005-41c0-8341-0123456789ab';
export const sourceNumber = '+13125550100';

type Started = {
  contactId: string;
  token: string;
  flow: string;
  caller: string;
  destination: string;
  detectsMachines: boolean;
  attributes: Record<string, string>;
};
type State = {
  initiated?: number;
  connected?: number;
  disconnected?: number;
  reason?: string;
  answeredBy?: string;
  recordings?: readonly object[];
};

const attributesLimit = 32_768;
const errorOf = (type: string, status = 400, message = type): StandInAnswer => ({
  status,
  headers: { 'x-amzn-errortype': type },
  body: { message },
});

/** What the API's documentation demands of a request; a breach fails the test. */
const expectStartRequest = ({ method, body, headers }: StandInRequest): void => {
  expect(method).toBe('PUT');
  expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/connect\/aws4_request/);
  const { AnswerMachineDetectionConfig: detection, TrafficType, ...always } = body;
  // Connect detects machines in campaign calls only.
  if (detection !== undefined) expect(TrafficType).toBe('CAMPAIGN');
  expect(Object.keys(always).sort()).toEqual([
    'Attributes',
    'ClientToken',
    'ContactFlowId',
    'DestinationPhoneNumber',
    'InstanceId',
    'SourcePhoneNumber',
  ]);
  expect(body.InstanceId).toBe(instanceId);
  expect(body.ContactFlowId).toMatch(/^[\da-z-]{1,500}$/);
  expect(body.SourcePhoneNumber).toMatch(/^\+[1-9]\d{1,14}$/);
  expect(body.DestinationPhoneNumber).toMatch(/^\+[1-9]\d{1,14}$/);
  expect(body.ClientToken).toMatch(/^.{1,500}$/);
  const attributes = Object.entries(body.Attributes as Record<string, string>);
  for (const [name, value] of attributes) {
    expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(typeof value).toBe('string');
  }
  const size = attributes.reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
  expect(size).toBeLessThanOrEqual(attributesLimit);
};

/** A local stand-in of as much of Amazon Connect's API as the adapter uses. */
export const openConnect = async () => {
  const started: Started[] = [];
  const states = new Map<string, State>();
  /** The error type that a destination is answered with. */
  const refusals = new Map<string, string>();
  /**
   * The error types that the next requests for a call are answered with; `undefined`: as their
   * destination is.
   */
  const nextRefusals: (string | undefined)[] = [];
  const refusedFlows = new Set<string>();
  /** The error type that a question after a contact is answered with. */
  const describeRefusals = new Map<string, string>();
  const breaches: unknown[] = [];
  let describesAttributes = true;
  let beforeAnswer: (contactId: string) => Promise<void> = async () => {};

  const start = async (request: StandInRequest): Promise<StandInAnswer> => {
    try {
      expectStartRequest(request);
    } catch (error) {
      breaches.push(error);
    }
    const body = request.body as Record<string, string> & { Attributes: Record<string, string> };
    const refusal =
      (refusedFlows.has(body.ContactFlowId ?? '') ? 'InvalidParameterException' : undefined) ??
      nextRefusals.shift() ??
      refusals.get(body.DestinationPhoneNumber ?? '') ??
      refusals.get('*');
    if (refusal !== undefined) {
      const status = refusal === 'InternalServiceException' ? 500 : 400;
      return errorOf(refusal, status, `the value ${body.DestinationPhoneNumber} is refused`);
    }
    const known = started.find(({ token }) => token === body.ClientToken);
    const contactId = known?.contactId ?? `contact-${started.length + 1}`;
    if (known === undefined) {
      started.push({
        contactId,
        token: body.ClientToken ?? '',
        flow: body.ContactFlowId ?? '',
        caller: body.SourcePhoneNumber ?? '',
        destination: body.DestinationPhoneNumber ?? '',
        detectsMachines: body.AnswerMachineDetectionConfig !== undefined,
        attributes: body.Attributes,
      });
    }
    await beforeAnswer(contactId);
    return { body: { ContactId: contactId } };
  };

  const describe = (contactId: string): StandInAnswer => {
    const refusal = describeRefusals.get(contactId);
    if (refusal !== undefined) return errorOf(refusal);
    const contact = started.find((each) => each.contactId === contactId);
    if (contact === undefined) return errorOf('ResourceNotFoundException', 404);
    const state = states.get(contactId) ?? {};
    const { initiated, connected, disconnected, reason, answeredBy, recordings } = state;
    return {
      body: {
        Contact: {
          Id: contactId,
          InitiationMethod: 'API',
          Channel: 'VOICE',
          SystemEndpoint: { Type: 'TELEPHONE_NUMBER', Address: contact.caller },
          ...(initiated === undefined ? {} : { InitiationTimestamp: initiated / 1000 }),
          ...(recordings === undefined ? {} : { Recordings: recordings }),
          ...(connected === undefined ? {} : { ConnectedToSystemTimestamp: connected / 1000 }),
          ...(disconnected === undefined ? {} : { DisconnectTimestamp: disconnected / 1000 }),
          ...(reason === undefined ? {} : { DisconnectReason: reason }),
          ...(answeredBy === undefined ? {} : { AnsweringMachineDetectionStatus: answeredBy }),
          ...(describesAttributes ? { Attributes: contact.attributes } : {}),
        },
      },
    };
  };

  const server = await openStandIn((request) => {
    const [, first, second, third, fourth] = request.path.split('/');
    if (first === 'contact' && second === 'outbound-voice') return start(request);
    if (first === 'contacts' && second === instanceId && request.method === 'GET')
      return describe(third ?? '');
    if (first === 'contact' && second === 'attributes' && third === instanceId) {
      const contact = started.find((each) => each.contactId === fourth);
      return contact
        ? { body: { Attributes: contact.attributes } }
        : errorOf('ResourceNotFoundException', 404);
    }
    breaches.push(`no such request: ${request.method} ${request.path}`);
    return errorOf('InvalidRequestException');
  });
  return {
    started,
    refusals,
    nextRefusals,
    refusedFlows,
    describeRefusals,
    requests: server.requests,
    client: { ...server.client, retryMode: 'standard', maxAttempts: 1 },
    /** As an instance whose DescribeContact is older. */
    hideAttributes: () => {
      describesAttributes = false;
    },
    /** What happens between the begin of a call and the answer that tells its id. */
    beforeAnswer: (happens: typeof beforeAnswer) => {
      beforeAnswer = happens;
    },
    end: (contactId: string, state: State) => states.set(contactId, state),
    close: async () => {
      await server.close();
      expect(breaches).toEqual([]);
    },
  };
};
