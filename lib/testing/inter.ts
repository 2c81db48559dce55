import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { serveApiPix } from "@/lib/testing/api-pix";

/**
 * A PSP as Inter is by its documentation (developers.inter.co/references): a token for what a form says, its own time in what it
 * writes, callbacks that are a list alone at the address itself, and no payouts.
 */
export const serveInter = (more: Partial<BacenSettings> = {}) =>
  serveApiPix({
    settings: { profile: "inter", scope: "cob.write cob.read pix.read", account_number: "12345678", ...more },
    knows: ({ authorization }, body) => {
      const { client_id, client_secret, grant_type, scope } = Object.fromEntries(new URLSearchParams(body));
      const isNamed = client_id === "client" && client_secret === "secret" && grant_type === "client_credentials";
      return isNamed && Boolean(scope) && authorization === undefined;
    },
    writes: ({ body, ...answer }) => ({ ...answer, ...(body && { body: inOwnTime(body) }) }),
    reports: (pixes) => [inOwnTime(pixes), ""],
  });

const BRASILIA_MS = -3 * 3_600_000;

/** All times in seconds of Brasília, with their offset. */
const inOwnTime = (body: object): object =>
  JSON.parse(JSON.stringify(body), (_, value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
      ? `${new Date(Date.parse(value) + BRASILIA_MS).toISOString().slice(0, 19)}-03:00`
      : value,
  );
