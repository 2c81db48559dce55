const MOST = 500;

/**
 * Does what is due, in the order found, until nothing more is. One that fails is left out of the next look, keeps no
 * other waiting, and is told of at the end by the error that is thrown. Returns how many were due.
 */
export async function sweep<Due extends { id: unknown }>(
  find: (most: number, but: Due["id"][]) => Promise<Due[]>,
  act: (due: Due) => Promise<unknown>,
): Promise<number> {
  const failures = new Map<Due["id"], unknown>();
  for (let count = 0; ; ) {
    const due = await find(MOST, [...failures.keys()]);
    for (const one of due) await act(one).catch((error) => failures.set(one.id, error));
    count += due.length;
    if (due.length === MOST) continue;
    if (failures.size === 0) return count;
    const some = [...failures.keys()].slice(0, 10).join(", ");
    throw new AggregateError([...failures.values()], `${failures.size} of what was due were not done: ${some}`);
  }
}
