import { keepPreviousData, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ApiPath } from "@/components/paths";

/** The API's answer for every list. One that may grow without end has a cursor; the others have numbered pages. */
export type ListPage<T = unknown> = {
  data: T[];
  meta: {
    next_cursor?: string | null;
    /** The place before the page, of a list that is read both ways. */
    previous_cursor?: string | null;
    current_page?: number;
    last_page?: number;
    total?: number;
    total_is_exact?: boolean;
    counts?: { readonly [status: string]: number };
  };
};

/** The filters of a list, as they are in the page's address. */
export type Filters<N extends string> = Partial<Record<N, string>>;

type Asked = Record<string, string | number>;

/** Where a list comes from: plain data, so that the server that hydrates its page gives it to the browser. */
export type ListSource<P, N extends string> = {
  /** Names the list in the query cache, after the account. */
  key: readonly (string | number)[];
  path: ApiPath;
  /** The filters that the page's address may have. Anything else in an address is ignored, as are empty values. */
  filters: readonly N[];
  /** What is asked for whatever the filters are. */
  query?: Asked;
  /** What the page calls otherwise than the API: by filter and value, what is asked for instead. */
  means?: { readonly [filter: string]: { readonly [value: string]: Asked } };
  /** A type and no value: what the API answers. */
  answer?: P;
};

type Source = Pick<ListSource<unknown, string>, "filters" | "query" | "means">;

/** The filters in a page's address. */
export function filtersOf<N extends string>(
  { filters }: { filters: readonly N[] },
  address: URLSearchParams | Record<string, string>,
): Filters<N> {
  const params = new URLSearchParams(address);
  const present = filters.flatMap((name) => (params.get(name) ? [[name, params.get(name)]] : []));
  return Object.fromEntries(present) as Filters<N>;
}

/** What a list's filters ask of the API. */
export function askedOf({ query, means = {} }: Source, filters: Filters<string>): Asked {
  const asked = Object.entries(filters).map(
    ([name, value = ""]) => means[name]?.[value] ?? (value ? { [name]: value } : {}),
  );
  return Object.assign({}, ...asked, query);
}

/** A list's query, for the server that hydrates its page and for the browser alike. The staff's lists have no account. */
export const listQuery = <P, N extends string>(
  source: ListSource<P, N>,
  account: string | null,
  filters: Filters<N>,
): UseQueryOptions<P> & { queryKey: QueryKey } => ({
  queryKey: [account, ...source.key, filters],
  queryFn: ({ signal }) => apiOf(account).get<P>(source.path, askedOf(source, filters), signal),
  placeholderData: keepPreviousData as UseQueryOptions<P>["placeholderData"],
});
