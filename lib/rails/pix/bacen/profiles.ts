import { z } from "zod";
import type { Answer } from "@/lib/outside/http-client";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";

/**
 * What a PSP does otherwise than the standard says, or where the standard leaves it a choice. What every PSP may do is no part
 * of it: `/pix` at the end of a callback's path or not, a payer in a payment, and the forms of a callback's body.
 */
type Profile = {
  /** How the client says who it is at the token endpoint: by HTTP Basic, or in the request's body. */
  tokenAuth: "basic" | "body";
  /** How the request for a token is written: as a form, where nothing is said. */
  tokenFormat?: "form" | "json";
  /** Headers of every request. */
  headers?: (settings: BacenSettings) => Record<string, string>;
  /** Headers of the request that names the address of our callbacks. */
  webhookHeaders?: Record<string, string>;
  /** The key as it stands in the path of its webhook. */
  webhookKey?: (key: string) => string;
  /** An answer as the standard has it. */
  asStandard?: (answer: Answer) => Answer;
  /** How many requests it takes in a minute, where it says so. */
  callsPerMinute?: number;
  /** Whose call sends money to keys, for which there is no standard. */
  payouts?: "efi";
};

export const profiles: Record<BacenSettings["profile"], Profile> = {
  standard: { tokenAuth: "basic" },

  /**
   * dev.efipay.com.br/docs/api-pix. It tries whether our server asks for its certificate when the address of callbacks is named,
   * unless a header says that its callbacks are known in another way: here by the secret in their path.
   */
  efi: {
    ...{ tokenAuth: "basic", tokenFormat: "json" },
    webhookHeaders: { "x-skip-mtls-checking": "true" },
    asStandard: ofEfi,
    payouts: "efi",
  },

  /** developers.inter.co/references */
  inter: {
    tokenAuth: "body",
    headers: ({ account_number }): Record<string, string> =>
      account_number ? { "x-conta-corrente": account_number } : {},
    webhookKey: (key) => key.replace(/^\+/, ""),
    callsPerMinute: 120,
  },
};

const Refusal = z.union([
  z.object({ nome: z.string(), mensagem: z.string().default("") }),
  z
    .object({ error: z.string(), error_description: z.string().default("") })
    .transform(({ error, error_description }) => ({ nome: error, mensagem: error_description })),
]);

/** Efí has errors of a form of its own beside the standard's, among them a 400 for what it does not know. */
function ofEfi({ status, json }: Answer): Answer {
  const { data } = Refusal.safeParse(json);
  if (status < 400 || !data) return { status, json };
  const { nome: title, mensagem: detail } = data;
  const said = status === 400 && /_nao_encontrad[ao]$/.test(title) ? 404 : status;
  return { status: said, json: { type: title, title, status: said, detail } };
}
