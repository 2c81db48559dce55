/** The origin that an address as people type it probably means: "loja.com.br/checkout" → "https://loja.com.br". */
export function originMeant(text: string): string | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, origin } = new URL(address);
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1";
  if (protocol === "https:" && (isLocal || hostname.includes("."))) return origin;
  if (protocol !== "http:") return undefined;
  return isLocal ? origin : `https://${hostname}${port && `:${port}`}`;
}
