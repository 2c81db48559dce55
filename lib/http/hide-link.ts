/**
 * A text without the secrets of links that were sent by mail: their pages have them in the path, where a browser's report,
 * or what a page's failure prints, may quote them.
 */
export const hideLinks = (text: string) =>
  text.replace(/\/(confirm|reset|invite|subscription)(\/|%2f)[\w-]{20,}/gi, "/$1/…");
