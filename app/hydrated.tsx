import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { AppError, errors } from "@/lib/errors";

/** The address of a page about one record of an account. */
export type InRecord = { params: Promise<{ account: string; id: string }> };
/** The query of a page's address. */
export type Searched = { searchParams: Promise<Record<string, string>> };

/** A query, and how the server answers it without a request. */
export type Read = readonly [query: { queryKey: QueryKey }, read: () => Promise<unknown>];

/**
 * Gives the browser what its queries would fetch, read here without a request. A record that does not exist has the
 * page of a wrong address; any other failure is left to the browser's own attempt.
 */
export async function Hydrated({ reads, children }: { reads: readonly Read[]; children: ReactNode }) {
  const client = new QueryClient();
  await Promise.all(reads.map(([{ queryKey }, queryFn]) => client.fetchQuery({ queryKey, queryFn }).catch(missing)));
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
