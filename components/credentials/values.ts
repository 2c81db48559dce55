import type { CredentialBody } from "@/lib/credentials/schema";
import { endOfDay } from "@/lib/time/calendar";

/** What the forms of a credential have; networks one a line, and a day in São Paulo or nothing. */
export type CredentialValues = {
  name: string;
  money_scopes: NonNullable<CredentialBody["money_scopes"]>;
  allowed_networks: string;
  expires_at: string;
};

/** The networks that were typed, one a line or with commas or spaces between them. */
export const networksIn = (typed: string) => typed.split(/[\s,;]+/).filter(Boolean);

/** A network as it is typed: of one address alone without its length. */
export const networkText = (network: string) => network.replace(/(?<=\.\d+)\/32$|(?<=:.*)\/128$/, "");

export const bodyOf = ({ expires_at, allowed_networks, ...body }: CredentialValues) => ({
  ...body,
  allowed_networks: networksIn(allowed_networks),
  ...(expires_at && { expires_at: endOfDay(expires_at).toISOString() }),
});
