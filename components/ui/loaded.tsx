"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Failure } from "@/components/ui/state";

type Props<T> = {
  result: UseQueryResult<T>;
  /** The page's head until the data arrives; the loaded page has its own head. */
  head?: ReactNode;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
};

/**
 * Data from the API. Until it arrives, a skeleton or the failure is shown; data that could not be updated is marked.
 */
export function Loaded<T>({ result: { data, error, refetch }, head, skeleton, children }: Props<T>) {
  const failure = error && <Failure error={error} onRetry={() => refetch()} slim={data !== undefined} />;
  if (data === undefined) {
    return (
      <>
        {head}
        {failure ?? skeleton}
      </>
    );
  }
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}
