/** Whether a caller has this content already (RFC 9110 section 13.1.2), so that 304 answers it. */
export function isKnown({ headers }: Request, etag: string): boolean {
  const known = headers.get("if-none-match");
  if (known === null) return false;
  return known.trim() === "*" || known.split(",").some((one) => opaque(one) === opaque(etag));
}

/** Two that differ in being weak name the same content. */
const opaque = (etag: string) => etag.trim().replace(/^W\//, "");
