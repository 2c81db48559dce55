const listeners = new Set<() => void>();

/** Reports that deliveries became due, after the transaction that made them so: a worker in this process looks at once. */
export function notifyDue() {
  for (const listener of listeners) listener();
}

/** Calls `listener` for each report, until the returned function is called. */
export function onDue(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
