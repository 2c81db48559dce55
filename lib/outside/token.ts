import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { runPrepared } from "@/lib/db";
import { sha256 } from "@/lib/ids";
import { realNow } from "@/lib/time/clock";
import { decrypt, encrypt } from "@/lib/vault/vault";

/** A provider's token endpoint, for the client-credentials grant (RFC 6749, section 4.4). */
export type OAuth = {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string;
  /** Where the client's credentials stand: in HTTP Basic, or in the form (RFC 6749, section 2.3.1). */
  auth?: "basic" | "body";
  /** How the request is written: as a form, as the standard says, or as JSON. */
  format?: "form" | "json";
};

/** `keptUntil`: a token that took the place of one that was refused is not replaced before, although it is refused too. */
export type Token = { value: string; refreshAt: number; expiresAt: number; keptUntil: number };

/** Sends a request to the token endpoint. */
type Ask = (request: { method: "POST"; headers: Record<string, string>; body: string }) => Promise<{
  status: number;
  json: unknown;
  why?: string;
}>;

type Asking = {
  ask: Ask;
  signal: AbortSignal;
  /** A token that the provider did not accept, so that another one is needed. */
  refused?: Token | undefined;
};

/** How long before its end a token is refreshed; a token that lives for minutes only, after three quarters of its life. */
const EARLY_MS = 60_000;
/** How long one process may refresh a token before another one tries; longer than any request lasts. */
const CLAIM_MS = 10_000;
const LOOK_EVERY_MS = 50;
/** How long a token serves that took the place of a refused one: a provider that refuses every token is not asked for one at each request. */
const KEPT_MS = 60_000;
/** How long no token is asked for with a credential that the provider has refused. */
const REFUSED_MS = 15_000;
/** The longest and the usual life of a token in seconds, whatever the provider says. */
const LIFE_S = { longest: 86_400, usual: 300 };

/** The tokens that this process knows, and who asks for one just now. */
const known = new Map<string, Token>();
const asking = new Map<string, Promise<Token>>();

/**
 * What the token of a credential is called: other credentials of the same provider have another token. `certificate` is the
 * client's.
 */
export const tokenNameOf = (provider: string, { tokenUrl, clientId, clientSecret, scope }: OAuth, certificate = "") =>
  `${provider}:${sha256(JSON.stringify([tokenUrl, clientId, clientSecret, scope, certificate]))
    .toString("hex")
    .slice(0, 32)}`;

/**
 * The present token under a name (`tokenNameOf`). All processes share it by a row that the vault has sealed, and one of them at a
 * time asks for the next one, before the present one ends. Throws where the provider gives none, and where the signal ends the
 * wait.
 */
export async function tokenFor(provider: string, oauth: OAuth, { ask, signal, refused }: Asking): Promise<Token> {
  const present = known.get(provider);
  if (present && present.value !== refused?.value && realNow().getTime() < present.refreshAt) return present;
  const underWay = asking.get(provider);
  // What others wait for goes on when this caller's time is over.
  const token = await within(signal, underWay ?? begin());
  return underWay && token.value === refused?.value ? within(signal, begin()) : token;

  function begin() {
    const asked = readOrRefresh(provider, oauth, ask, refused).then((token) => {
      known.set(provider, token);
      return token;
    });
    asking.set(provider, asked);
    const done = () => void (asking.get(provider) === asked && asking.delete(provider));
    asked.then(done, done);
    return asked;
  }
}

/** What a promise resolves to, unless the signal comes first. */
const within = <T>(signal: AbortSignal, promise: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", end));
  });

async function readOrRefresh(provider: string, oauth: OAuth, ask: Ask, refused?: Token): Promise<Token> {
  const usableOf = (sealed: Uint8Array | null | undefined) => {
    const token = open(provider, sealed);
    return token && token.value !== refused?.value ? token : undefined;
  };
  for (const until = performance.now() + CLAIM_MS; ; await pause(LOOK_EVERY_MS)) {
    const [row] = await runPrepared<Row>("token_read", READ, [provider]);
    const present = usableOf(row?.sealed);
    if (present && isFresh(present)) return present;
    if (row?.isRefused) return present && isValid(present) ? present : refuseAgain();
    const [claimed] = await runPrepared<Row>("token_claim", CLAIM, [provider, CLAIM_MS]);
    if (claimed)
      return refresh(provider, oauth, ask, { present: usableOf(claimed.sealed), isReplacing: Boolean(refused) });
    if (present && isValid(present)) return present; // another process is asking for the next one
    if (performance.now() > until) throw new Error("Another process waits for a token");
  }
}

function refuseAgain(): never {
  throw Object.assign(new Error("The provider has just refused the credential"), { code: "TOKEN_401" });
}

type Row = { sealed: Uint8Array | null; isRefused: boolean };
type Renewal = { present: Token | undefined; isReplacing: boolean };

const isFresh = ({ refreshAt }: Token) => realNow().getTime() < refreshAt;
const isValid = ({ expiresAt }: Token) => realNow().getTime() < expiresAt;

/**
 * Asks for a new token, for the process that has the claim, unless another one has stored it just before. Where the provider
 * gives none, the present one is used until its end.
 */
async function refresh(provider: string, oauth: OAuth, ask: Ask, { present, isReplacing }: Renewal): Promise<Token> {
  try {
    const token = present && isFresh(present) ? present : await request(oauth, ask, isReplacing);
    await runPrepared("token_store", STORE, [provider, encrypt(JSON.stringify(token), contextOf(provider))]);
    return token;
  } catch (error) {
    await runPrepared("token_release", RELEASE, [provider, isRefusal(error) ? REFUSED_MS : null]);
    if (present && isValid(present)) return present;
    throw error;
  }
}

/** RFC 6749, section 5.1; a token without an end that can be read is one of five minutes, and none serves for more than a day. */
const Granted = z.object({
  access_token: z.string().min(1).max(20_000),
  expires_in: z.coerce.number().positive().catch(LIFE_S.usual),
});

/** Whether the provider says that the credential is not good, or that it is asked too often. */
const isRefusal = (error: unknown): boolean => {
  const { cause } = error as Error;
  return typeof cause === "number" && cause >= 400 && cause < 500;
};

async function request(
  { clientId, clientSecret, scope, auth = "basic", format = "form" }: OAuth,
  ask: Ask,
  isReplacing: boolean,
): Promise<Token> {
  const askedAt = realNow().getTime();
  const credential = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`);
  const named = auth === "body" && { client_id: clientId, client_secret: clientSecret };
  const asked = { grant_type: "client_credentials", ...(scope && { scope }), ...named };
  const isJson = format === "json";
  const {
    status,
    json,
    why = `TOKEN_${status}`,
  } = await ask({
    method: "POST",
    headers: {
      ...(auth === "basic" && { authorization: `Basic ${credential.toString("base64")}` }),
      "content-type": isJson ? "application/json" : "application/x-www-form-urlencoded",
      accept: "application/json",
    },
    body: isJson ? JSON.stringify(asked) : new URLSearchParams(asked).toString(),
  });
  const { data } = Granted.safeParse(json);
  if (status !== 200 || !data)
    throw Object.assign(new Error(`The token endpoint answered ${status}`, { cause: status }), { code: why });
  const lifeMs = Math.min(data.expires_in, LIFE_S.longest) * 1_000;
  const expiresAt = askedAt + lifeMs;
  const keptUntil = isReplacing ? askedAt + KEPT_MS : 0;
  return { value: data.access_token, expiresAt, refreshAt: expiresAt - Math.min(EARLY_MS, lifeMs / 4), keptUntil };
}

const Stored = z.object({
  value: z.string(),
  refreshAt: z.number(),
  expiresAt: z.number(),
  keptUntil: z.number().default(0),
});

/** A stored token. Undefined for one that a key no longer in the ring has sealed: the provider gives another. */
function open(provider: string, sealed: Uint8Array | null | undefined): Token | undefined {
  if (!sealed) return undefined;
  try {
    return Stored.parse(JSON.parse(decrypt(sealed, contextOf(provider)).toString()));
  } catch {
    return undefined;
  }
}

const contextOf = (provider: string) => `token of ${provider}`;

const READ = `select sealed_token as sealed, coalesce(refused_until > now(), false) as "isRefused"
  from provider_tokens where provider = $1`;

const CLAIM = `insert into provider_tokens as t (provider, claimed_until)
  values ($1, now() + $2 * interval '1 millisecond')
  on conflict (provider) do update set claimed_until = excluded.claimed_until where t.claimed_until <= now()
  returning sealed_token as sealed`;

const STORE =
  "update provider_tokens set sealed_token = $2, claimed_until = now(), refused_until = null where provider = $1";

const RELEASE = `update provider_tokens set claimed_until = now(), refused_until = now() + $2 * interval '1 millisecond'
  where provider = $1`;
