/** What a list is asked for, as it stands in the page's address. */
export type Filters<N extends string> = Partial<Record<N, string>>;

/** The filters of these names in an address. Anything else in it is ignored, as are empty values. */
export const filtersOf = <N extends string>(params: URLSearchParams, names: readonly N[]): Filters<N> =>
  Object.fromEntries(names.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []))) as Filters<N>;
