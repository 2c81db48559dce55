import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { seesWhole } from "@/lib/auth/scopes";
import { AppError, errors } from "@/lib/errors";
import { maskMembers } from "@/lib/privacy/mask";

/** The address of a page about one record of an account. */
export type InRecord = { params: Promise<{ account: string; id: string }> };
/** The query of a page's address. */
export type Searched = { searchParams: Promise<Record<string, string>> };

/** A query, and how the server answers it without a request. */
export type Read = readonly [query: { queryKey: QueryKey }, read: () => Promise<unknown>];

type Shown = { for: { scopes: readonly string[] }; reads: readonly Read[]; children: ReactNode };

/**
 * Gives the browser what its queries would fetch, read here without a request, and masked for this person as the API masks
 * it. A record that does not exist has the page of a wrong address; any other failure is left to the browser's own attempt.
 */
export async function Hydrated({ for: { scopes }, reads, children }: Shown) {
  const client = new QueryClient();
  const shown = (read: Read[1]) => (seesWhole(scopes) ? read : async () => maskMembers(await read()));
  await Promise.all(
    reads.map(([{ queryKey }, read]) => client.fetchQuery({ queryKey, queryFn: shown(read) }).catch(missing)),
  );
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

/** Awaits a read that the page itself needs. A record that does not exist has the page of a wrong address. */
export const found = <T,>(reading: Promise<T>): Promise<T> =>
  reading.catch((error) => {
    missing(error);
    throw error;
  });

function missing(error: unknown) {
  if (error instanceof AppError && errors[error.code][0] === 404) notFound();
}
