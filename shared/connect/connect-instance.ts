import {
  ConnectClient,
  type ConnectClientConfig,
  ConnectServiceException,
  DescribeContactCommand,
  GetContactAttributesCommand,
  type RecordingInfo,
  ResourceNotFoundException,
  StartOutboundVoiceContactCommand,
} from '@aws-sdk/client-connect';
import { callDetails, type LeasedCall } from '../calls/rules/call.ts';
import { dayMs, type Instant } from '../platform/time/time.ts';

/** The attribute by which a call is recognised when Connect reports its end. */
const callIdAttribute = 'outbound_call_id';

/** Bytes in UTF-8 of all names and values together. */
const sizeLimit = 32_768;

const sizeOf = (name: string, value: string) => Buffer.byteLength(name) + Buffer.byteLength(value);

/** Connect allows letters, digits, dash and underscore. A name in use gets a number. */
const freeName = (field: string, taken: Readonly<Record<string, string>>): string => {
  const name = field.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  if (!Object.hasOwn(taken, name)) return name;
  for (let number = 2; ; number++) {
    if (!Object.hasOwn(taken, `${name}_${number}`)) return `${name}_${number}`;
  }
};

/** What a flow sees of a call: its ids, and as many of the contact's fields as fit. */
export const attributesOf = ({ callId, taskId, contactId, attempt, fields }: LeasedCall) => {
  const attributes: Record<string, string> = Object.assign(Object.create(null), {
    [callIdAttribute]: callId,
    outbound_task_id: taskId,
    outbound_contact_id: contactId,
    outbound_attempt: String(attempt),
  });
  let size = Object.entries(attributes).reduce((sum, [name, value]) => sum + sizeOf(name, value), 0);
  for (const [field, value] of Object.entries(fields)) {
    const name = freeName(field, attributes);
    size += sizeOf(name, value);
    if (size > sizeLimit) break;
    attributes[name] = value;
  }
  return { ...attributes };
};

const international = /^\+[1-9]\d{2,14}$/;

/**
 * The number as E.164, which Connect demands. `prefix`, such as +86, is for numbers without a
 * country code.
 * @returns undefined if the number cannot be called
 */
export const internationalNumber = (phoneNumber: string, prefix: string): string | undefined => {
  const number = phoneNumber.startsWith('+') ? phoneNumber : `${prefix}${phoneNumber}`;
  return international.test(number) ? number : undefined;
};

export type ConnectSettings = {
  instanceId: string;
  /** For tasks whose callSettings have no connectFlowId. */
  flowId: string;
  /** For tasks without callerNumbers. */
  sourceNumber: string;
  /** The prefix of numbers without +. */
  numberPrefix: string;
  /** Whether Connect is asked to detect answering machines. */
  machineDetection: boolean;
};

const machineDetection = {
  // Connect detects machines in campaign calls only.
  TrafficType: 'CAMPAIGN',
  AnswerMachineDetectionConfig: { EnableAnswerMachineDetection: true, AwaitAnswerMachinePrompt: false },
} as const;

/**
 * - destination: this number must not or cannot be called.
 * - request: Connect refuses something in the request.
 * - busy: Connect takes no more calls at the moment.
 * - unknown: the call may have begun.
 */
type RefusalKind = 'destination' | 'request' | 'busy' | 'unknown';

export class StartRefused extends Error {
  readonly kind: RefusalKind;
  constructor(kind: RefusalKind, cause: unknown) {
    super(cause instanceof Error ? cause.name : 'unknown', { cause });
    this.kind = kind;
  }
}

const kinds: Readonly<Record<string, RefusalKind>> = {
  DestinationNotAllowedException: 'destination',
  OutboundContactNotPermittedException: 'request',
  InvalidParameterException: 'request',
  InvalidRequestException: 'request',
  LimitExceededException: 'busy',
  ThrottlingException: 'busy',
  TooManyRequestsException: 'busy',
};

/**
 * @returns undefined for any other error below 500, which is about our settings or rights, not
 *   about the call
 */
const kindOf = (error: unknown): RefusalKind | undefined => {
  if (!(error instanceof ConnectServiceException)) return 'unknown';
  return kinds[error.name] ?? (error.$fault === 'server' ? 'unknown' : undefined);
};

/** What Connect knows about the end of a contact. */
export type EndedContact = {
  /** When Connect began to dial. */
  initiated?: Instant | undefined;
  connected: Instant | undefined;
  disconnected: Instant | undefined;
  reason: string | undefined;
  /** Result of Connect's answering machine detection, if it was asked for. */
  answeredBy?: string | undefined;
};

/**
 * A time from one of Connect's events or from the SDK. Connect sends the first moment of 1970 for
 * an absent time.
 */
export const connectTime = (time: string | Date | undefined): Instant | undefined => {
  const instant = time === undefined ? Number.NaN : new Date(time).getTime();
  return instant > dayMs ? instant : undefined;
};

type ConnectContact = EndedContact & {
  callId: string | undefined;
  /** The number that Connect called from. */
  callerNumber: string | undefined;
  recordingUrl: string | undefined;
};

/** Connect names a recording in S3 as `bucket/key`. */
const recordingAddress = (recordings: readonly RecordingInfo[], region: string): string | undefined => {
  const isKept = ({ StorageType, Status }: RecordingInfo) => StorageType === 'S3' && Status !== 'DELETED';
  const location = recordings.find((recording) => isKept(recording) && recording.Location)?.Location;
  if (location === undefined) return undefined;
  const address = location.startsWith('https://')
    ? location
    : `https://s3.${region}.amazonaws.com/${location.split('/').map(encodeURIComponent).join('/')}`;
  return URL.canParse(address) && address.length <= callDetails.recordingUrl.maxLength ? address : undefined;
};

/** An Amazon Connect instance, as far as dialing needs it. Not yet run against a real one. */
export class ConnectInstance {
  readonly #client: ConnectClient;
  readonly #settings: ConnectSettings;

  constructor(settings: ConnectSettings, config: ConnectClientConfig = {}) {
    this.#settings = settings;
    // Adaptive: a new instance takes two calls a second and refuses the others.
    this.#client = new ConnectClient({ retryMode: 'adaptive', maxAttempts: 4, ...config });
  }

  /**
   * Connect's id of the call. It is the same id if the call was started before.
   * @throws StartRefused, or Connect's error about our settings or rights
   */
  async start(call: LeasedCall, destination: string): Promise<string | undefined> {
    const { instanceId, flowId, sourceNumber, numberPrefix } = this.#settings;
    const { callerNumber, task } = call;
    const command = new StartOutboundVoiceContactCommand({
      InstanceId: instanceId,
      ContactFlowId: task.callSettings.connectFlowId || flowId,
      // Connect itself refuses a number that is not international.
      SourcePhoneNumber: callerNumber
        ? (internationalNumber(callerNumber, numberPrefix) ?? callerNumber)
        : sourceNumber,
      DestinationPhoneNumber: destination,
      ClientToken: call.callId,
      Attributes: attributesOf(call),
      ...(this.#settings.machineDetection && machineDetection),
    });
    let mayHaveBegun = false;
    // The SDK reports only its last request. An earlier one may have begun the call.
    command.middlewareStack.add(
      (next) => async (args) => {
        try {
          return await next(args);
        } catch (error) {
          mayHaveBegun ||= kindOf(error) === 'unknown';
          throw error;
        }
      },
      { step: 'finalizeRequest', priority: 'low', name: 'watchAttempts' },
    );
    try {
      return (await this.#client.send(command)).ContactId;
    } catch (error) {
      const kind = mayHaveBegun ? 'unknown' : kindOf(error);
      throw kind === undefined ? error : new StartRefused(kind, error);
    }
  }

  /** @returns undefined if Connect knows no such contact */
  async find(contactId: string): Promise<ConnectContact | undefined> {
    const { instanceId } = this.#settings;
    try {
      const { Contact: contact = {} } = await this.#client.send(
        new DescribeContactCommand({ InstanceId: instanceId, ContactId: contactId }),
      );
      const region = await this.#client.config.region();
      return {
        initiated: connectTime(contact.InitiationTimestamp),
        connected: connectTime(contact.ConnectedToSystemTimestamp),
        disconnected: connectTime(contact.DisconnectTimestamp),
        reason: contact.DisconnectReason,
        answeredBy: contact.AnsweringMachineDetectionStatus,
        callerNumber: internationalNumber(contact.SystemEndpoint?.Address ?? '', ''),
        recordingUrl: recordingAddress(contact.Recordings ?? [], region),
        callId: contact.Attributes?.[callIdAttribute] ?? (await this.#callIdOf(contactId)),
      };
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  /** For instances whose DescribeContact does not return the attributes yet. */
  async #callIdOf(contactId: string): Promise<string | undefined> {
    const { Attributes } = await this.#client.send(
      new GetContactAttributesCommand({
        InstanceId: this.#settings.instanceId,
        InitialContactId: contactId,
      }),
    );
    return Attributes?.[callIdAttribute];
  }
}
