/** A state machine is a table: each status, and the statuses it may move to. */
export type States<S extends string> = Record<S, readonly S[]>;

/** The statuses that may move to `to`, ready for an atomic `where status in (…)`. */
export function before<S extends string>(states: States<S>, to: NoInfer<S>): S[] {
  return (Object.keys(states) as S[]).filter((from) => states[from].includes(to));
}
