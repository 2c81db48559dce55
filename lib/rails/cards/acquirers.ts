import { env } from "@/lib/env";
import { cielo } from "@/lib/rails/cards/cielo/adapter";
import type { Acquirer } from "@/lib/rails/cards/port";
import { simulator } from "@/lib/rails/cards/simulator/adapter";

/** Cielo, where it is configured. The settings are read at each call, because a build has none. */
const live = () => (env.CIELO_MERCHANT_ID ? cielo : null);

/** The acquirer of accounts of this mode. Null where none is configured. */
export const acquirerFor = (mode: "live" | "sandbox"): Acquirer | null => (mode === "sandbox" ? simulator : live());

/** The acquirer of an earlier charge. Null for an unknown name, and for one that is no longer configured. */
export const acquirerNamed = (name: string): Acquirer | null =>
  everyAcquirer().find(({ provider }) => provider === name) ?? null;

export const everyAcquirer = (): Acquirer[] => [simulator, live()].filter((acquirer) => acquirer !== null);
