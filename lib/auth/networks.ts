import { AppError } from "@/lib/errors";
import { isInNetworks, networks } from "@/lib/net/address";

/** Throws `ip_not_allowed` for an address outside the networks of a credential; without any it may be used from everywhere. */
export function assertInNetworks(address: string, allowed: readonly string[]): void {
  if (allowed.length > 0 && !isInNetworks(address, networks(allowed.join()))) throw new AppError("ip_not_allowed");
}
