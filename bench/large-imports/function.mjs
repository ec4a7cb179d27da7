/**
 * Runs in its own process: does what Lambda's runtime does around the bundle of the import. Each message is an event with
 * the milliseconds that the function may take.
 */
const { handler } = await import(process.argv[2]);

process.on('message', async ({ event, timeoutMs }) => {
  const end = performance.now() + timeoutMs;
  await handler(event, { awsRequestId: 'bench', getRemainingTimeInMillis: () => end - performance.now() });
  process.send('ended');
});
process.send('ready');
