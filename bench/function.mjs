import { Writable } from 'node:stream';

/**
 * Runs in its own process: does what Lambda's runtime does around a bundle, with a client that
 * reads a streamed file and keeps nothing. Each message is an event with the milliseconds that the
 * function may take. The answer is the file's size in bytes.
 */
let isStreamed = false;
globalThis.awslambda = {
  streamifyResponse: (handler) => {
    isStreamed = true;
    return handler;
  },
  HttpResponseStream: {
    from: (stream, { statusCode }) => {
      if (statusCode !== 200) throw new Error(`the export answered ${statusCode}`);
      return stream;
    },
  },
};
const { handler } = await import(process.argv[2]);

process.on('message', async ({ event, timeoutMs }) => {
  const end = performance.now() + timeoutMs;
  const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => end - performance.now() };
  let bytes = 0;
  const client = new Writable({
    write: (chunk, _encoding, done) => {
      bytes += chunk.length;
      done();
    },
  });
  await (isStreamed ? handler(event, client, context) : handler(event, context));
  process.send(bytes);
});
process.send('ready');
