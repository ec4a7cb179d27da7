import { statusOfWord } from '../../shared/platform/api/answers.ts';
import { envelopeOf, errorHeadersOf, notFound, withPrefix } from './gateway-responses.ts';

/**
 * A mock selects its answer by the media type of the request. For other media types there is a
 * gateway response.
 */
const mediaTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'application/xml',
  'multipart/form-data',
  'text/plain',
  'text/csv',
];

/** A constant answer, which needs neither a token nor a function. */
export const unknownPath = (corsOrigin: string | undefined) => {
  const statusCode = String(statusOfWord(notFound.word));
  const headers = errorHeadersOf(notFound.word, corsOrigin);
  const declared = Object.keys(headers).map((name) => [name, { schema: { type: 'string' } }]);
  return {
    responses: { [statusCode]: { description: notFound.message, headers: Object.fromEntries(declared) } },
    'x-amazon-apigateway-integration': {
      type: 'mock',
      requestTemplates: Object.fromEntries(mediaTypes.map((type) => [type, `{"statusCode": ${statusCode}}`])),
      passthroughBehavior: 'never',
      contentHandling: 'CONVERT_TO_TEXT',
      responses: {
        default: {
          statusCode,
          responseTemplates: { 'application/json': envelopeOf(notFound) },
          responseParameters: withPrefix('method.response.header.', headers),
        },
      },
    },
  };
};
