import { z } from "zod";
import { pauseRequests, type Turn, takeTurn } from "@/lib/outside/budget";
import { type Answer, httpClient, type Sent, TOO_MANY, timeouts, UNREACHED } from "@/lib/outside/http-client";
import { profiles } from "@/lib/rails/pix/bacen/profiles";
import { Problema } from "@/lib/rails/pix/bacen/schemas.generated";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";

/**
 * `signal` ends several requests at once; without it a request has a time of its own, which begins when it is its turn. Where
 * `isAdmitted`, its turn was taken before.
 */
type Asked = {
  method?: Sent["method"];
  body?: object;
  headers?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
  turn?: Turn;
  isAdmitted?: boolean;
};

/** Resolves to the JSON of a 2xx, or the problem (RFC 7807) with which the PSP refused. */
export type Client = (path: string, asked?: Asked) => Promise<Answer>;

/** The client of one PSP, by the settings of the moment. Throws where there is no answer. */
export function bacenClient(provider: string, settings: () => BacenSettings): Client {
  const client = httpClient(() => {
    const at = settings();
    const { tokenAuth, tokenFormat = "form", headers } = profiles[at.profile];
    const tls = { cert: at.certificate, key: at.private_key, ca: at.authority };
    return {
      ...{ provider, baseUrl: at.base_url, headers: headers?.(at) ?? {} },
      tls: Object.fromEntries(Object.entries(tls).flatMap(([name, text]) => (text ? [[name, text]] : []))),
      oauth: {
        ...{ tokenUrl: at.token_url, clientId: at.client_id, clientSecret: at.client_secret },
        ...{ auth: tokenAuth, format: tokenFormat, ...(at.scope && { scope: at.scope }) },
      },
    };
  });
  return async (
    path,
    { method = "GET", body, headers = {}, timeoutMs = timeouts.findMs, turn = "question", ...asked } = {},
  ) => {
    const waitMs = asked.isAdmitted ? 0 : await admit(provider, settings(), turn, asked.signal);
    if (waitMs > 0) return { status: UNREACHED, json: undefined, retryAfterMs: waitMs };
    const signal = asked.signal ?? AbortSignal.timeout(timeoutMs);
    const kind = `${method} ${path.split(/[/?]/, 2).join("/")}`;
    const answer = await client(path, { method, kind, headers, signal, ...(body && { body: JSON.stringify(body) }) });
    const { retryAfterMs } = answer;
    if (answer.status === TOO_MANY) await pauseRequests(provider, retryAfterMs);
    const { status, json } = profiles[settings().profile].asStandard?.(answer) ?? answer;
    return { ...answer, status, json: withoutNulls(json) };
  };
}

/** Takes a turn at a PSP, within its limit. Resolves to 0, or in how many ms there may be one. */
export const admit = (provider: string, settings: BacenSettings, turn: Turn, signal?: AbortSignal): Promise<number> => {
  const perMinute = settings.calls_per_minute ?? profiles[settings.profile].callsPerMinute ?? null;
  return takeTurn({ provider, perMinute, turn, signal });
};

/** A PSP may write a member that it leaves out as null, which the standard never does. */
export const withoutNulls = (json: unknown): unknown =>
  json === undefined ? undefined : JSON.parse(JSON.stringify(json), (_, value) => value ?? undefined);

/** Throws for any status but 2xx. */
export function done({ status, json }: Answer): void {
  if (status < 200 || status >= 300) throw new Error(`The PSP answered ${problemOf(json)?.type ?? status}`);
}

/** The answer by its schema. Throws for any status but 2xx, and for an answer of another form. */
export function answered<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.infer<Schema> {
  done(answer);
  const { data, error } = schema.safeParse(answer.json);
  if (error) throw new Error(`The PSP answered otherwise than the API Pix says: ${whereOf(error)}`);
  return data as z.infer<Schema>;
}

/** Where an answer differs. Its values are no part of it, because they may be personal. */
const whereOf = ({ issues }: z.ZodError) =>
  issues
    .slice(0, 3)
    .map(({ path }) => path.join("."))
    .join(", ");

/** What is read of a problem, so that one that is odd in anything else is the PSP's own all the same. */
const Problem = Problema.pick({ type: true, title: true }).extend({
  detail: z.string().optional().catch(undefined),
  violacoes: z
    .array(z.object({ razao: z.string().optional() }))
    .optional()
    .catch(undefined),
});

/** The PSP's own problem; undefined for an answer of a server in between. */
const problemOf = (json: unknown) => Problem.safeParse(json).data;

/** With which statuses a PSP says that a request came to nothing, and whether it was served is not known. */
const UNSURE = [408, 425];

/**
 * Why a PSP did not do what it was asked. Null where it did, or where nobody knows: an answer of another server is none of it,
 * except that there were too many requests.
 */
export function refusalOf({ status, json }: Answer): { reason: string; isForNow: boolean } | null {
  if (status === TOO_MANY) return { reason: "", isForNow: true };
  const problem = problemOf(json);
  // The standard names some statuses, and the Central Bank allows others of the client's with a problem (bacen/pix-api #326).
  if (status < 400 || status >= 500 || UNSURE.includes(status) || !problem) return null;
  const reasons = problem.violacoes?.flatMap(({ razao }) => razao ?? []) ?? [];
  const reason = [problem.detail ?? problem.title, ...reasons].join(" ").slice(0, 300);
  return { reason, isForNow: [401, 403, 429].includes(status) };
}

/** Whether the PSP itself says that it has no such record. */
export const isUnknown = ({ status, json }: Answer): boolean => status === 404 && problemOf(json) !== undefined;
