/** Results in the order of the inputs, with at most `limit` jobs under way at once. */
export const concurrently = async <In, Out>(
  inputs: readonly In[],
  limit: number,
  job: (input: In) => Promise<Out>,
): Promise<Out[]> => {
  const results = new Array<Out>(inputs.length);
  const queue = inputs.entries();
  const worker = async () => {
    for (const [at, input] of queue) results[at] = await job(input);
  };
  await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, worker));
  return results;
};

/** Results in the order of the inputs, started up to `ahead` inputs before they are asked for. */
export async function* readAhead<In, Out>(
  inputs: Iterable<In>,
  ahead: number,
  job: (input: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const started: Promise<Out>[] = [];
  const start = (input: In) => {
    const result = job(input);
    // A failure is thrown when its turn comes; until then it must not count as unhandled.
    result.catch(() => undefined);
    started.push(result);
  };
  for (const input of inputs) {
    start(input);
    if (started.length > ahead) yield await started.shift()!;
  }
  for (const result of started) yield await result;
}
