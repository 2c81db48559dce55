import { isIP } from "node:net";
import { z } from "zod";
import { areNetworks, isLocal, type Network, networks } from "@/lib/net/address";

const text = z.string().min(1);
const port = z.coerce.number().int().min(1).max(65_535);
const address = text.refine((address) => isIP(address) > 0, "must be an IP address");
const count = (byDefault: number) => z.coerce.number().int().min(0).default(byDefault);

/** The proxies in front of the program: how many there are, or the networks that they are in. */
const proxies = z
  .string()
  .default("0")
  .refine((text) => isCount(text) || areNetworks(text), "must be a comma list of networks (10.0.0.0/8), or a number")
  .transform((text): number | Network[] => (isCount(text) ? Number(text) : networks(text)));

const isCount = (text: string) => /^\d{1,3}$/.test(text);

/** A host that receives card numbers, or people's data and a token; only https is allowed, or this machine. */
const cardUrl = z
  .string()
  .refine((url) => URL.canParse(url) && (url.startsWith("https://") || isLocal(new URL(url))), "must be a https URL")
  .transform((url) => url.replace(/\/+$/, ""));

/** `Name <a@b.co>`, or the address alone: where mails come from. */
const sender = text
  .max(320)
  .refine((from) => /^([^<>"\p{Cc}]+<[^\s<>,@]+@[^\s<>,@]+>|[^\s<>,@]+@[^\s<>,@]+)$/u.test(from), {
    message: "must be an address, or Name <address>",
  });

/** The SMTP server that takes our mails. Its text is never part of a message, because it may hold a password. */
const mailUrl = z.string().refine(isMailUrl, "must be smtp://user:password@host:port or smtps://…");

function isMailUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, searchParams } = new URL(text);
  const from = searchParams.get("from");
  const isKnown = [...searchParams.keys()].every((name) => name === "from");
  return /^smtps?:$/.test(protocol) && hostname !== "" && isKnown && (from === null || sender.safeParse(from).success);
}

/** Of these the program reads its settings. */
export const settingNames = (): string[] => Object.keys(Env.shape);

/** Every setting of the program. docs/operating.md explains each. */
const Env = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("production"),
  PORT: port.default(3000),
  APP_URL: z
    .url()
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  DATA_DIR: text.default(".data"),
  /** The URL of the program's own role, which the launcher derives. The owner's URL is never in this process. */
  DATABASE_PROGRAM_URL: text,
  /** The same past a pooler of transactions, where there is one. */
  DIRECT_PROGRAM_URL: text.optional(),
  SESSION_SECRET: z.string().min(32),
  /** `kid:base64,…` of 32 bytes each; the first one encrypts. */
  VAULT_KEYS: text,
  /** The key of cards' fingerprints. It must never change, or the same card would get another fingerprint. */
  CARD_FINGERPRINT_KEY: z.string().min(32),
  SIMULATOR_SECRET: z.string().min(16),
  SIMULATOR_URL: z.url().optional(),
  CIELO_MERCHANT_ID: z.guid().optional(),
  CIELO_MERCHANT_KEY: text.optional(),
  CIELO_URL: cardUrl.optional(),
  CIELO_QUERY_URL: cardUrl.optional(),
  /** The external tracking service that sales are reported to. */
  TRACKING_URL: cardUrl.optional(),
  MAIL_URL: mailUrl.optional(),
  MAIL_FROM: sender.optional(),
  BIND: address.optional(),
  /** How long a stop goes on serving. A stop's time is what is left for the last requests: lib/process/stop.ts. */
  DRAIN_SECONDS: z.coerce.number().min(0).max(4).optional(),
  METRICS_PORT: port.optional(),
  METRICS_BIND: address.default("127.0.0.1"),
  TRUSTED_PROXIES: proxies,
  PARTNER_LIMIT_PER_MINUTE: count(600),
  AUTH_TOKEN_LIMIT_PER_MINUTE: count(60),
  SIGN_UP_LIMIT_PER_MINUTE: count(5),
  /** Largest cash-in of an account without a fee schedule, in cents; 0 is no limit. */
  MAX_CASHIN_WITHOUT_FEE: count(0),
  MIN_CASHIN: count(1),
  /** Networks and e-mail addresses whose cards are not charged. */
  CARD_DENIED_IPS: z.string().default("").refine(areNetworks, "must be a comma list of networks (10.0.0.0/8)"),
  CARD_DENIED_EMAILS: z.string().default(""),
  WEBHOOK_ALLOWED_CIDRS: z.string().default("").refine(areNetworks, "must be a comma list of networks (10.0.0.0/8)"),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

/**
 * Settings that only make sense together. With only one of Cielo's addresses set, look-ups go to production, which
 * answers that the charge does not exist.
 */
const pairs = [
  ["CIELO_MERCHANT_ID", "CIELO_MERCHANT_KEY"],
  ["CIELO_URL", "CIELO_QUERY_URL"],
] as const;

const Whole = Env.superRefine((env, context) => {
  for (const [one, other] of pairs) {
    if ((env[one] === undefined) === (env[other] === undefined)) continue;
    const [given, missing] = env[one] === undefined ? [other, one] : [one, other];
    context.addIssue({ code: "custom", path: [missing], message: `must be set where ${given} is` });
  }
  const isSandbox = (url = "") => url.includes("sandbox");
  if (isSandbox(env.CIELO_URL) !== isSandbox(env.CIELO_QUERY_URL)) {
    context.addIssue({ code: "custom", path: ["CIELO_QUERY_URL"], message: "must be of the same Cielo as CIELO_URL" });
  }
});

/** The settings of a program that starts with these variables. Throws an error that names each wrong one. */
export function parseSettings(variables: Readonly<Record<string, string | undefined>>) {
  const given = Object.entries(variables).filter(([, value]) => value !== ""); // an empty setting counts as unset
  const { data, error } = Whole.safeParse(Object.fromEntries(given));
  if (error) {
    const faults = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new Error(`Configuration is not valid. ${faults.join("; ")}`);
  }
  const url = data.APP_URL ?? `http://localhost:${data.PORT}`;
  const bind = data.BIND ?? bindFor(new URL(url), data.TRUSTED_PROXIES);
  return {
    ...data,
    APP_URL: url,
    BIND: bind,
    DRAIN_SECONDS: data.DRAIN_SECONDS ?? (isLocal(new URL(url)) ? 0 : 4),
    SIMULATOR_URL: data.SIMULATOR_URL ?? `http://${hostHere(bind)}:${data.PORT}`,
    MAIL_FROM: data.MAIL_FROM ?? fromOf(data.MAIL_URL) ?? `Repasse <no-reply@${hostOf(url)}>`,
    CIELO_URL: data.CIELO_URL ?? "https://api.cieloecommerce.cielo.com.br",
    CIELO_QUERY_URL: data.CIELO_QUERY_URL ?? "https://apiquery.cieloecommerce.cielo.com.br",
  };
}

const fromOf = (mailUrl?: string) => (mailUrl && new URL(mailUrl).searchParams.get("from")) || undefined;

/** The host of our own address as a mail address may name it: an IP address stands in brackets. */
function hostOf(url: string): string {
  const { hostname } = new URL(url);
  return isIP(hostname) === 4 ? `[${hostname}]` : hostname;
}

/**
 * The address to listen on where BIND is unset; undefined is every address. Behind trusted proxies only this machine may
 * connect, because anybody else could claim to be a proxy. Without a public APP_URL nobody else needs to connect.
 */
function bindFor(url: URL, trusted: number | Network[]): string | undefined {
  if (trusted === 0 && !isLocal(url)) return undefined;
  return url.hostname === "[::1]" ? "::1" : "127.0.0.1";
}

/** The host of a URL by which this machine reaches itself. */
function hostHere(bind = "0.0.0.0"): string {
  if (bind === "0.0.0.0" || bind === "::") return "127.0.0.1";
  return isIP(bind) === 6 ? `[${bind}]` : bind;
}

export type Env = ReturnType<typeof parseSettings>;

let parsed: Env | undefined;

/** The settings. They are parsed at the first read, so that a build, which has none, can load every module. */
export const env = new Proxy({} as Env, {
  get: (_, name) => {
    parsed ??= parseSettings(process.env);
    return parsed[name as keyof Env];
  },
  /** Tests point a running process at ports they have just opened. */
  set: (_, name, value) => {
    parsed = { ...(parsed ?? parseSettings(process.env)), [name]: value };
    return true;
  },
});
