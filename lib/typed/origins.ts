import { urlIn, visible } from "@/lib/typed/text";

/** Whether a text is an origin in the form in which a domain is registered: https, a host, a port perhaps. */
export function isOrigin(text: string): boolean {
  const url = urlIn(text);
  if (!url) return false;
  const { protocol, hostname, origin } = url;
  if (origin !== text) return false; // a path, a slash, upper case, a default port
  if (!/^[\w.-]+$/.test(hostname)) return false; // also stands in a header, where `*`, `;` and `,` mean something
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1"].includes(hostname));
}

/**
 * The origin that an address as people type it probably means, in the form in which browsers send it:
 * "loja.com.br/checkout" → "https://loja.com.br", "https://Açaí.com.br" → "https://xn--aa-4iaz.com.br".
 */
export function originMeant(typed: string): string | undefined {
  const text = visible(typed).trim();
  const address = urlIn(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!address) return undefined;
  const { protocol, hostname, port, origin } = address;
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1";
  if (!["http:", "https:"].includes(protocol) || !(isLocal || hostname.includes("."))) return undefined;
  const meant = protocol === "https:" || isLocal ? origin : `https://${hostname}${port && `:${port}`}`;
  return isOrigin(meant) ? meant : undefined;
}
