/** Gathers what a source yields into batches. */
export async function* inBatches<T>(source: AsyncIterable<T>, size = 1_000): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of source) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Runs work on every item, `width` at once. Rejects with the first error, and begins nothing more after it. */
export async function inParallel<T>(items: Iterable<T>, width: number, run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  let hasFailed = false;
  const work = async () => {
    for (const item of queue) {
      if (hasFailed) return;
      await run(item).catch((error) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}
