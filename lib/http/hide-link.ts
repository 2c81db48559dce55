/**
 * A text without the secrets of links that were sent by mail, and of the addresses that providers call: they stand in the path,
 * where a browser's report, or what a page's failure prints, may quote them.
 */
export const hideLinks = (text: string) =>
  text
    .replace(/\/(confirm|reset|invite|subscription)(\/|%2f)[\w-]{20,}/gi, "/$1/…")
    .replace(/(\/callbacks\/pix\/[\w-]+\/)[\w-]{20,}/gi, "$1…");
