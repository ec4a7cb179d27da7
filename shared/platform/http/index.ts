export { answerEach } from './answer-each.ts';
export { preflightHeaders } from './common-headers.ts';
export { answerTo, endpoint } from './endpoint.ts';
export { failure, responseOf, success, WithHeaders } from './envelope.ts';
export { headerOf } from './event.ts';
export { type ExportFile, fileEndpoint } from './file-endpoint.ts';
export { assertSize, bodyBytes } from './json-body.ts';
export { uploadedForm } from './multipart.ts';
export { offsetOf, pageStart, pageToken } from './paging.ts';
export { withStoredAnswers } from './repeatable.ts';
export { loadSite, type PageSettings, type Site, type SiteAnswer, siteAnswer } from './site.ts';
export { timeIn } from './times.ts';
export {
  authenticate,
  mayUse,
  type Principal,
  type TokenSettings,
  tokenVerifier,
  type VerifyToken,
} from './tokens.ts';
