const YEAR_S = 31_536_000;

/** Keeps a person's choice of theme, language or menu in a cookie, so that the server renders with it. */
export function remember(name: "theme" | "locale" | "folded", value: string) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
