/**
 * Passes on `chunks` until the signal fires, and throws its reason then, even while the source is
 * silent.
 */
export async function* untilAborted<T>(chunks: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const source = chunks[Symbol.asyncIterator]();
  // A race with one promise for the whole run would keep every chunk that was ever read.
  let interrupt: (reason: unknown) => void = () => {};
  const onAbort = () => interrupt(signal.reason);
  signal.addEventListener('abort', onAbort);
  try {
    while (true) {
      signal.throwIfAborted();
      const next = await new Promise<IteratorResult<T>>((resolve, reject) => {
        interrupt = reject;
        source.next().then(resolve, reject);
      });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Not awaited: a source that hangs in next() answers return() only when that next() ends.
    source.return?.()?.catch(() => {});
  }
}

/**
 * The same bytes in parts of exactly `partSize`, the last one smaller. No bytes are one empty part.
 * A part holds its bytes until the next but one is asked for, because two buffers take turns. Fresh
 * buffers would pile up, since the garbage collector does not see their size.
 */
export async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  partSize: number,
): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafe(partSize);
  let previous: typeof part | undefined;
  let filled = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.byteLength; ) {
      if (filled === partSize) {
        yield part;
        const next = previous ?? Buffer.allocUnsafe(partSize);
        previous = part;
        part = next;
        filled = 0;
      }
      const piece = chunk.subarray(from, from + partSize - filled);
      part.set(piece, filled);
      filled += piece.byteLength;
      from += piece.byteLength;
    }
  }
  if (filled > 0 || previous === undefined) yield part.subarray(0, filled);
}
