import { keepPreviousData, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";

/** The API's answer for every list. One that may grow without end has a cursor; the others have numbered pages. */
export type ListPage<T> = {
  data: T[];
  meta: { next_cursor?: string | null; current_page?: number; last_page?: number };
};

/** The filters of a list, as they are in the page's address. */
export type Filters<N extends string> = Partial<Record<N, string>>;

type Options<A extends string | null, N extends string, P> = {
  /** Names the list in the query cache, after the account. */
  key: readonly (string | number)[];
  /** The filters that the page's address may have. */
  names: readonly N[];
  read: (api: ReturnType<typeof apiOf<A>>, filters: Filters<N>, signal: AbortSignal) => Promise<P>;
  /** The milliseconds after which it is read again by itself. */
  refetchMs?: (page: P | undefined) => number;
};

export type ListQuery<A extends string | null, N extends string, P> = {
  /** The filters in an address. Anything else in it is ignored, as are empty values. */
  filtersOf: (address: URLSearchParams | Record<string, string>) => Filters<N>;
  of: (account: A, filters: Filters<N>) => UseQueryOptions<P> & { queryKey: QueryKey };
};

/** A list of the API, for the server that hydrates its page and for the browser alike. The staff's lists have no account. */
export function listQuery<const N extends string, P, A extends string | null = string>(
  options: Options<A, N, P>,
): ListQuery<A, N, P> {
  const { key, names, read, refetchMs } = options;
  return {
    filtersOf(address) {
      const params = new URLSearchParams(address);
      const present = names.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []));
      return Object.fromEntries(present) as Filters<N>;
    },
    of: (account, filters) => ({
      queryKey: [account, ...key, filters],
      queryFn: ({ signal }) => read(apiOf(account), filters, signal),
      placeholderData: keepPreviousData as UseQueryOptions<P>["placeholderData"],
      ...(refetchMs && { refetchInterval: ({ state }) => refetchMs(state.data) }),
    }),
  };
}
