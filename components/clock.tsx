"use client";
import { createContext, type ReactNode, startTransition, useContext, useEffect, useState } from "react";

const Now = createContext(0);
const Offset = createContext(0);

/**
 * The account's business time for the whole page. The first render uses the server's instant, so that server and
 * browser render the same text; then the time is updated every half minute.
 */
export function Clock({ serverNow, children }: { serverNow: number; children: ReactNode }) {
  const [now, setNow] = useState(serverNow);
  const [offset, setOffset] = useState(0);
  useEffect(() => {
    const ahead = serverNow - Date.now();
    // A part of the page that is not hydrated yet would be rendered anew by an update that is no transition.
    startTransition(() => {
      setOffset(ahead);
      setNow(serverNow);
    });
    const timer = setInterval(() => startTransition(() => setNow(Date.now() + ahead)), 30_000);
    return () => clearInterval(timer);
  }, [serverNow]);
  return (
    <Now.Provider value={now}>
      <Offset.Provider value={offset}>{children}</Offset.Provider>
    </Now.Provider>
  );
}

/** Business time in milliseconds, at most half a minute old. */
export const useNow = () => useContext(Now);

/** How far the account's clock is ahead of this device's, in milliseconds. */
export const useClockOffset = () => useContext(Offset);
