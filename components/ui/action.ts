"use client";
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useErrorText } from "@/components/error-text";
import { toast } from "@/components/ui/toast";

type Options<V, A> = {
  act: (asked: V) => Promise<A>;
  /** The toast of its success. */
  done?: string;
  /** The queries that are read again, also after a failure. */
  refresh: QueryKey;
  onDone?: (answer: A) => unknown;
  /** Names actions of which one is sent after the other; the queries are read again after the last. */
  inTurn?: string;
};

/** A write that a button makes, once however often it is pressed meanwhile. A toast reports its result. */
export function useAction<A = unknown, V = void>({ act, done, refresh, onDone, inTurn }: Options<V, A>) {
  const client = useQueryClient();
  const errorText = useErrorText();
  const isSent = useRef(false); // the button is disabled only a moment after the first press
  const mutation = useMutation<A, Error, V>({
    mutationFn: act,
    ...(inTurn && { mutationKey: [inTurn], scope: { id: inTurn } }),
    onSuccess(answer) {
      if (done) toast(done);
      return onDone?.(answer);
    },
    onError: (error) => toast(errorText(error), "bad"),
    async onSettled() {
      if (inTurn && client.isMutating({ mutationKey: [inTurn] }) > 1) return;
      await client.invalidateQueries({ queryKey: refresh }).finally(() => {
        isSent.current = false;
      });
    },
  });
  const mutate: typeof mutation.mutate = (...asked) => {
    if (isSent.current && !inTurn) return;
    isSent.current = true;
    mutation.mutate(...asked);
  };
  return { ...mutation, mutate };
}
