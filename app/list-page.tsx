import type { ComponentType } from "react";
import type { z } from "zod";
import { Hydrated, type Read, type Searched } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import type { ListProps } from "@/components/list/list";
import { askedOf, filtersOf, type ListSource, listQuery } from "@/components/list/source";
import type { AccountContext } from "@/lib/accounts/context";
import type { Feature } from "@/lib/accounts/schema";
import type { Scope, StaffScope } from "@/lib/auth/scopes";
import { type InAccount, requireAccount, requireStaff } from "@/lib/auth/session";
import { env } from "@/lib/env";
import type { Namespace } from "@/messages";

type Query = z.ZodObject;
/** How many records a page has is no filter. */
type FilterOf<Q extends Query> = Exclude<Extract<keyof z.input<Q>, string>, "per_page">;

type List<P, Q extends Query> = Omit<ListSource<P, FilterOf<Q>>, "filters" | "answer"> & {
  /** The parts of the catalogue that the page needs beside its frame's. */
  texts?: readonly Namespace[];
  /** The API's schema of the list's query: its members are the filters that the page's address may have. */
  filters: Q;
  /** The client component that shows it. */
  shows: ComponentType<ListProps<P, FilterOf<Q>>>;
  /** A call of the API for integrators, shown where the list is empty; `$API` stands for the API's address. */
  curl?: string;
};

type SellersList<P, Q extends Query> = List<P, Q> & {
  scope: Scope;
  feature?: Feature;
  read: (account: AccountContext, query: z.output<Q>) => Promise<P>;
  /** What the page reads besides. */
  reads?: (account: AccountContext) => readonly Read[];
};

type StaffsList<P, Q extends Query> = List<P, Q> & {
  read: (query: z.output<Q>, scopes: readonly StaffScope[]) => Promise<P>;
};

/** A list of the dashboard as a page: who may see it, what the browser would ask for at once, and how it is shown. */
export const listPage = <P, Q extends Query>(list: SellersList<P, Q>) =>
  async function ListPage({ params, searchParams }: InAccount & Searched) {
    const session = await requireAccount(params, list.scope, list.feature);
    const { account } = session;
    const read = (query: z.output<Q>) => list.read(account, query);
    return show(list, { for: session, account: account.id }, await searchParams, read, list.reads?.(account));
  };

/** A list of the operator's console as a page. */
export const staffListPage = <P, Q extends Query>(list: StaffsList<P, Q>) =>
  async function StaffListPage({ searchParams }: Searched) {
    const person = await requireStaff();
    const read = (query: z.output<Q>) => list.read(query, person.scopes);
    return show(list, { for: person, account: null }, await searchParams, read);
  };

function show<P, Q extends Query>(
  { texts = [], filters: schema, shows: Shown, curl, ...from }: List<P, Q>,
  { for: person, account }: { for: { scopes: readonly string[] }; account: string | null },
  address: Record<string, string>,
  read: (query: z.output<Q>) => Promise<P>,
  reads: readonly Read[] = [],
) {
  const { key, path, query, means } = from;
  const names = Object.keys(schema.shape).filter((name) => name !== "per_page") as FilterOf<Q>[];
  const source: ListSource<P, FilterOf<Q>> = {
    key,
    path,
    filters: names,
    ...(query && { query }),
    ...(means && { means }),
  };
  return (
    <Texts of={texts}>
      <Hydrated for={person} reads={[listed(source, account, address, schema, read), ...reads]}>
        <Shown source={source} {...(curl && { curl: curl.replace("$API", `${env.APP_URL}/api/partner/v1`) })} />
      </Hydrated>
    </Texts>
  );
}

/** A list's first query. Filters that the API refuses are left to the browser, which shows the API's answer. */
export function listed<P, N extends string, Q extends Query>(
  source: ListSource<P, N>,
  account: string | null,
  address: Record<string, string>,
  schema: Q,
  read: (query: z.output<Q>) => Promise<P>,
): Read {
  const filters = filtersOf(source, address);
  return [listQuery(source, account, filters), async () => read(schema.parse(askedOf(source, filters)) as z.output<Q>)];
}
