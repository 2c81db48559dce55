import { codeOf, messageOf } from "./faults.mjs";

/** How long a host that was found to take writes is taken for the one. */
const FOUND_FOR_MS = 1_000;
const PROBE_WITHIN_MS = 2_000;

/** @typedef {{ at: number, answer: Promise<string> }} Found */
/**
 * What was found last, by address. Every connection of a process asks here.
 *
 * @type {Map<string, Found>}
 */
const found = new Map();
/**
 * The host that was found last, by address: it has precedence.
 *
 * @type {Map<string, string>}
 */
const last = new Map();

/**
 * An address of several hosts, as libpq writes it (`postgresql://user@a:5432,b:5432/db?target_session_attrs=read-write`),
 * in a form that is a URL: it names the first host, and all of them in the parameter `hosts`. It loses
 * `target_session_attrs` unless that asks for a standby. Any other text is returned as it is.
 *
 * @param {string} address
 */
export function asUrl(address) {
  const [, scheme, user = "", hosts = "", rest = ""] = /^(\w+:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/s.exec(address) ?? [];
  const all = hosts.split(",");
  const text = all.length > 1 ? `${scheme}${user}${all[0]}${rest}` : address;
  if (![text, ...all.map((host) => `postgresql://${host}`)].every((one) => URL.canParse(one))) return address;
  const url = new URL(text);
  const wanted = url.searchParams.get("target_session_attrs");
  if (all.length === 1 && wanted === null) return address;
  if (wanted !== null && /^(read-write|primary|any)$/.test(wanted)) url.searchParams.delete("target_session_attrs");
  if (all.length > 1) url.searchParams.set("hosts", all.join(","));
  return url.href;
}

/**
 * The URL of each host of an address.
 *
 * @param {string} url What `asUrl` returned, or another database or user of it.
 * @returns {string[]}
 */
export function urlsOf(url) {
  const hosts = URL.canParse(url) ? new URL(url).searchParams.get("hosts") : null;
  if (!hosts) return [url];
  return hosts.split(",").map((host) => {
    const one = new URL(url);
    one.searchParams.delete("hosts");
    const { hostname, port } = new URL(`postgresql://${host}`);
    Object.assign(one, { hostname, port });
    return one.href;
  });
}

/**
 * The URL of the host that takes writes. Where there are several, all are asked at once; that of the last time has
 * precedence, then their order. One host is not asked. Throws an error of PostgreSQL's code for a server that does not
 * take connections when none does.
 *
 * @param {string} url
 * @returns {Promise<string>}
 */
export function writableUrl(url) {
  const known = found.get(url);
  if (known && performance.now() < known.at + FOUND_FOR_MS) return known.answer;
  const urls = urlsOf(url);
  if (urls.length === 1) return Promise.resolve(url);
  const answer = find(url, urls);
  answer.catch(() => {});
  found.set(url, { at: performance.now(), answer });
  return answer;
}

/**
 * @param {string} url
 * @param {string[]} urls
 */
async function find(url, urls) {
  const before = last.get(url);
  const ordered = before ? [before, ...urls.filter((one) => one !== before)] : urls;
  const probes = ordered.map((one) => probe(one).then((fault) => ({ one, fault })));
  /** @type {unknown[]} */
  const faults = [];
  for (const probing of probes) {
    const { one, fault } = await probing;
    if (fault) faults.push(fault);
    else {
      last.set(url, one);
      return one;
    }
  }
  const refused = faults.find((fault) => /^(28|3D)/.test(codeOf(fault) ?? ""));
  if (refused) throw refused;
  const reasons = ordered.map((one, nth) => `${new URL(one).host}: ${messageOf(faults[nth]) || codeOf(faults[nth])}`);
  throw Object.assign(new Error(`no host takes writes (${reasons.join("; ")})`), { code: "57P03" });
}

/**
 * What keeps a host from taking writes, or nothing.
 *
 * @param {string} url
 */
async function probe(url) {
  const { default: pg } = await import("pg");
  const client = new pg.Client({
    connectionString: url,
    application_name: "repasse hosts",
    connectionTimeoutMillis: PROBE_WITHIN_MS,
    query_timeout: PROBE_WITHIN_MS,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("show transaction_read_only");
    return rows[0].transaction_read_only === "off" ? undefined : new Error("it is a standby");
  } catch (error) {
    return error;
  } finally {
    client.end().catch(() => {}); // a silent host never confirms its end
  }
}
