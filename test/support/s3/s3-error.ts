const statuses = {
  AccessDenied: 403,
  AuthorizationQueryParametersError: 400,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedXML: 400,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NotImplemented: 501,
  SignatureDoesNotMatch: 403,
} as const;

export type S3ErrorCode = keyof typeof statuses;

/** A refusal in S3's own words. */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;

  constructor(code: S3ErrorCode, message: string) {
    super(message);
    this.code = code;
    this.status = statuses[code];
  }
}
