const LIMIT = 500;

/**
 * Acts on what is due, in the order found, until nothing is left. An item that fails does not stop the others, and
 * later searches leave it out; the error that is thrown at the end holds all failures. Returns how many were due.
 */
export async function sweep<Due extends { id: unknown }>(
  find: (limit: number, except: Due["id"][]) => Promise<Due[]>,
  act: (due: Due) => Promise<unknown>,
): Promise<number> {
  const failures = new Map<Due["id"], unknown>();
  for (let count = 0; ; ) {
    const due = await find(LIMIT, [...failures.keys()]);
    for (const one of due) await act(one).catch((error) => failures.set(one.id, error));
    count += due.length;
    if (due.length === LIMIT) continue;
    if (failures.size === 0) return count;
    const some = [...failures.keys()].slice(0, 10).join(", ");
    throw new AggregateError([...failures.values()], `${failures.size} items that were due were not done: ${some}`);
  }
}
