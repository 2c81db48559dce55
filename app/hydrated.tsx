import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { AppError, errors } from "@/lib/errors";

/** What the page of one record of an account has in its address, and what any page may have behind its path. */
export type InRecord = { params: Promise<{ account: string; id: string }> };
export type Searched = { searchParams: Promise<Record<string, string>> };

type Read = readonly [query: { queryKey: QueryKey }, read: () => Promise<unknown>];

/**
 * Gives the browser what its queries would fetch, read here without a request. A record that does not exist has the
 * page of a wrong address; any other failure is left to the browser's own attempt.
 */
export async function Hydrated({ reads, children }: { reads: readonly Read[]; children: ReactNode }) {
  const client = new QueryClient();
  await Promise.all(reads.map(([{ queryKey }, queryFn]) => client.fetchQuery({ queryKey, queryFn }).catch(missing)));
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}

/** What is read, for a page that is made of it; the page of a wrong address where it does not exist. */
export const found = <T,>(reading: Promise<T>): Promise<T> =>
  reading.catch((error) => {
    missing(error);
    throw error;
  });

function missing(error: unknown) {
  if (error instanceof AppError && errors[error.code][0] === 404) notFound();
}
