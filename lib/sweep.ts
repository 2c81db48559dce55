const MOST = 500;

/**
 * Does what is due, in the order found, until nothing more is. One that fails is left out of the next look, keeps no
 * other waiting, and its error is thrown at the end. Returns how many were due.
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
    if (failures.size > 0) throw new AggregateError([...failures.values()], "Some of what was due was not done");
    return count;
  }
}
