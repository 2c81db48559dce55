/** A transition: the statuses that it starts from, and the one that it leads to. */
export type Transition<S extends string> = { readonly from: readonly S[]; readonly to: S };

/** A state machine is a table of transitions by name. A status moves by one of them, or not at all. */
export type Transitions<S extends string> = Readonly<Record<string, Transition<S>>>;

/** The statuses from which a transition of the table leads to `to`. */
export const statusesBefore = <S extends string>(transitions: Transitions<S>, to: NoInfer<S>): S[] => [
  ...new Set(Object.values(transitions).flatMap((one) => (one.to === to ? one.from : []))),
];

/** The statuses to which a transition of the table leads from `from`. */
export const statusesAfter = <S extends string>(transitions: Transitions<S>, from: NoInfer<S>): S[] => [
  ...new Set(Object.values(transitions).flatMap((one) => (one.from.includes(from) ? [one.to] : []))),
];

/** Whether a record in status `from` may be given `to`: it is that already, or a transition leads to it. */
export const mayBecome = <S extends string>(transitions: Transitions<S>, from: NoInfer<S>, to: NoInfer<S>): boolean =>
  from === to || statusesAfter(transitions, from).includes(to);

/** The status after a transition. Throws where a record in status `from` may not make it, which is a fault of ours. */
export function statusAfter<S extends string, T extends string>(
  transitions: Readonly<Record<T, Transition<S>>>,
  name: T,
  from: NoInfer<S>,
): S {
  const transition = transitions[name];
  if (!transition.from.includes(from)) throw new Error(`No ${name} from ${from}`);
  return transition.to;
}

/** For Prisma's `where`: the records that may make a transition. */
export const startsFrom = <S extends string>({ from }: Transition<S>) => ({ status: { in: [...from] } });

/** For Prisma's `data`: the status that a transition leads to. */
export const leadsTo = <S extends string>({ to }: Transition<S>) => ({ status: to });

/** SQL: a list of statuses for `status in …`. */
export const inSql = (statuses: readonly string[]) => `(${statuses.map((status) => `'${status}'`).join(", ")})`;

/** SQL: whether a row may make a transition. */
export const startsFromSql = ({ from }: Transition<string>, row?: string) =>
  `${row === undefined ? "" : `${row}.`}status in ${inSql(from)}`;

/** SQL: for `set`, the status that a transition leads to. */
export const leadsToSql = ({ to }: Transition<string>) => `status = '${to}'`;
