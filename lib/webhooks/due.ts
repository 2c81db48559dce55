const listeners = new Set<() => void>();

/** Call after a transaction that made deliveries due: a worker in this process then searches for them at once. */
export function notifyDue() {
  for (const listener of listeners) listener();
}

/** Calls `listener` at each `notifyDue` until the returned function is called. */
export function onDue(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
