import type { ErrorCode } from "@/lib/errors";

/** The errors of settings that cannot be used, and at which field a person looks first. */
export const providerFaults = {
  provider_not_reached: "base_url",
  provider_answers_otherwise: "base_url",
  provider_is_another: "base_url",
  provider_gave_no_token: "token_url",
  provider_client_refused: "client_id",
  provider_client_connected: "client_id",
  provider_secret_needed: "client_secret",
  provider_not_permitted: "scope",
  provider_refused: "pix_key",
  provider_certificate_refused: "certificate",
  provider_certificate_ended: "certificate",
  provider_certificate_unreadable: "certificate",
  provider_pair_incomplete: "private_key",
  provider_key_differs: "private_key",
  provider_key_unreadable: "private_key",
  provider_not_trusted: "authority",
  provider_authority_unreadable: "authority",
  provider_networks_unreadable: "callback_networks",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** The codes of these errors, for the contracts of their routes. */
export const settingsErrors = Object.keys(providerFaults) as (keyof typeof providerFaults)[];
