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
import { callDetails } from '../domain/calls/call-details.ts';
import type { LeasedCall } from '../domain/dialing/call.ts';
import { attributesOf, callIdAttribute, internationalNumber } from './call-request.ts';
import { connectTime, type EndedContact } from './contact-outcome.ts';

export type ConnectSettings = {
  instanceId: string;
  /** Of tasks whose callSettings have no connectFlowId. */
  flowId: string;
  /** Of tasks without callerNumbers. */
  sourceNumber: string;
  /** Put before numbers without +. */
  numberPrefix: string;
  /** Ask Connect to detect answering machines. */
  machineDetection: boolean;
};

const machineDetection = {
  // Connect detects machines in campaign calls only.
  TrafficType: 'CAMPAIGN',
  AnswerMachineDetectionConfig: { EnableAnswerMachineDetection: true, AwaitAnswerMachinePrompt: false },
} as const;

/**
 * destination: this number must not or cannot be called. request: Connect refuses something in the request.
 * busy: Connect takes no more calls at the moment. unknown: the call may have begun.
 */
export type RefusalKind = 'destination' | 'request' | 'busy' | 'unknown';

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

/** `undefined`: any other error below 500 is about our settings or rights, not about the call. */
const kindOf = (error: unknown): RefusalKind | undefined => {
  if (!(error instanceof ConnectServiceException)) return 'unknown';
  return kinds[error.name] ?? (error.$fault === 'server' ? 'unknown' : undefined);
};

export type ConnectContact = EndedContact & {
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

/** An Amazon Connect instance, as far as dialing needs it. Has not run against a real instance yet. */
export class ConnectInstance {
  readonly #client: ConnectClient;
  readonly #settings: ConnectSettings;

  constructor(settings: ConnectSettings, config: ConnectClientConfig = {}) {
    this.#settings = settings;
    // Adaptive: a new instance takes two calls a second and refuses the others.
    this.#client = new ConnectClient({ retryMode: 'adaptive', maxAttempts: 4, ...config });
  }

  /**
   * Connect's id of the call; the same id if the call was started before.
   * @throws StartRefused, or Connect's error about our settings or rights
   */
  async start(call: LeasedCall, destination: string): Promise<string | undefined> {
    const { instanceId, flowId, sourceNumber, numberPrefix } = this.#settings;
    const { callerNumber, task } = call;
    const command = new StartOutboundVoiceContactCommand({
      InstanceId: instanceId,
      ContactFlowId: task.callSettings.connectFlowId || flowId,
      // A number that is not international is left to Connect to refuse.
      SourcePhoneNumber: callerNumber
        ? (internationalNumber(callerNumber, numberPrefix) ?? callerNumber)
        : sourceNumber,
      DestinationPhoneNumber: destination,
      ClientToken: call.callId,
      Attributes: attributesOf(call),
      ...(this.#settings.machineDetection && machineDetection),
    });
    let mayHaveBegun = false;
    // The SDK tells of its last request only; an earlier one may have begun the call.
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

  /** `undefined` when Connect knows no such contact. */
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

  /** For instances whose DescribeContact does not answer the attributes yet. */
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
