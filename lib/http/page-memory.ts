import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { preferredLocale } from "@/lib/locale/preferred-locale";
import { type Locale, locales } from "@/messages";

const zip = promisify(gzip);

/** The language and theme of a page for a visitor who is not signed in. */
export type Look = { locale: Locale; theme: "light" | "dark" | "" };

/** The headers that are made anew for each answer. */
const OWN =
  /^(content-security-policy|reporting-endpoints|x-request-id|content-length|date|connection|keep-alive|transfer-encoding|etag)$/;

type Page = { status: number; headers: [name: string, parts: string[]][]; parts: string[] };
type Sent = { request: IncomingMessage; response: ServerResponse; nonce: string; policy: Record<string, string> };

/**
 * Pages that are the same for everyone, as they were rendered once, except for the nonce of their scripts: each answer
 * gets a fresh one. There is one entry for each page and look.
 */
export function memory() {
  const known = new Map<string, Page>();
  /** The pages that are being rendered; a request for one of them waits. */
  const coming = new Map<string, Promise<void>>();
  const keyOf = (path: string, { locale, theme }: Look) => `${path} ${locale} ${theme}`;

  return {
    /** Answers with the remembered page. Returns false when there is none yet. */
    async send(path: string, look: Look, { request, response, nonce, policy }: Sent): Promise<boolean> {
      const key = keyOf(path, look);
      while (coming.has(key)) await coming.get(key);
      const page = known.get(key);
      if (!page) return false;
      for (const [name, parts] of page.headers) response.setHeader(name, parts.join(nonce));
      for (const [name, value] of Object.entries(policy)) response.setHeader(name, value);
      response.setHeader("vary", "accept-encoding, accept-language, cookie");
      const body = Buffer.from(page.parts.join(nonce));
      const zips = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
      if (zips) response.setHeader("content-encoding", "gzip");
      const sent = zips ? await zip(body, { level: constants.Z_BEST_SPEED }) : body;
      response.writeHead(page.status, { "content-length": sent.byteLength }).end(sent);
      return true;
    },

    /**
     * Remembers what this response sends. Those who wait for the page do not wait for whoever reads this response slowly.
     */
    listen(path: string, look: Look, response: ServerResponse, nonce: string) {
      const key = keyOf(path, look);
      const chunks: Buffer[] = [];
      const { write, end } = response;
      const keep = (chunk: unknown) => {
        if (typeof chunk === "string" || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
      };
      const remember = () => {
        if (response.destroyed || ![200, 404].includes(response.statusCode)) return; // half a page, or none
        const headers = partsOf(response.getHeaders(), nonce);
        const parts = Buffer.concat(chunks).toString().split(nonce);
        known.set(key, { status: response.statusCode, headers, parts });
      };
      let come = () => {};
      const page = new Promise<void>((resolve) => {
        come = resolve;
      });
      coming.set(key, page);
      const over = () => {
        if (coming.get(key) === page) coming.delete(key);
        come();
      };
      response.once("close", over);
      response.write = (...given: unknown[]) => {
        keep(given[0]);
        write.apply(response, given as never);
        return true;
      };
      response.end = (...given: unknown[]) => {
        keep(given[0]);
        end.apply(response, given as never);
        remember();
        over();
        return response;
      };
    },
  };
}

const partsOf = (headers: OutgoingHttpHeaders, nonce: string): Page["headers"] =>
  Object.entries(headers)
    .filter(([name]) => !OWN.test(name))
    .map(([name, value]) => [name, String(value).split(nonce)]);

/** Language and theme, from the visitor's cookies; a language that was never chosen is the browser's. */
export function lookOf(request: IncomingMessage): Look {
  const cookies = cookiesOf(request);
  const theme = cookies.get("theme");
  return {
    locale:
      locales.find((locale) => locale === cookies.get("locale")) ??
      preferredLocale(request.headers["accept-language"] ?? ""),
    theme: theme === "light" || theme === "dark" ? theme : "",
  };
}

/** The cookies of a request by name, as they were sent. */
export function cookiesOf({ headers }: IncomingMessage): Map<string, string> {
  const pairs = headers.cookie?.split(/;\s*/).filter(Boolean) ?? [];
  return new Map(pairs.map((pair) => [pair.split("=", 1)[0] ?? "", pair.slice(pair.indexOf("=") + 1)]));
}
