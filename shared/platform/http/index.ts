export { answerEach } from './answer-each.ts';
export { answerTo, endpoint } from './endpoint.ts';
export { failure, preflightHeaders, responseOf, success, WithHeaders } from './envelope.ts';
export { type ExportFile, fileEndpoint } from './file-endpoint.ts';
export { uploadedForm } from './multipart.ts';
export { withStoredAnswers } from './repeatable.ts';
export { assertSize, bodyBytes, headerOf, offsetOf, pageStart, pageToken, timeIn } from './request.ts';
export { loadSite, type PageSettings, type Site, type SiteAnswer, siteAnswer, takesGzip } from './site.ts';
export * from './tokens.ts';
