import { Writable } from 'node:stream';

/**
 * Runs in its own process: does what Lambda's runtime does around the bundle of an export, with a client
 * that reads the file and keeps nothing. Each message is an event. The answer is the file's size in bytes.
 */
globalThis.awslambda = {
  streamifyResponse: (handler) => handler,
  HttpResponseStream: {
    from: (stream, { statusCode }) => {
      if (statusCode !== 200) throw new Error(`the export answered ${statusCode}`);
      return stream;
    },
  },
};
const { handler } = await import(process.argv[2]);

process.on('message', async (event) => {
  let bytes = 0;
  const client = new Writable({
    write: (chunk, _encoding, done) => {
      bytes += chunk.length;
      done();
    },
  });
  await handler(event, client, { awsRequestId: 'bench' });
  process.send(bytes);
});
process.send('ready');
