/** The path of sign-in, which afterwards leads back to `url`, the path and query of the requested page. */
export function signInPath(url: string): string {
  const path = withoutMark(url);
  return ["/", "/home"].includes(path) ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`;
}

/** A page's path and query without Next's own mark on requests for a page's data. */
export function withoutMark(url: string): string {
  const asked = new URL(url, "http://host");
  asked.searchParams.delete("_rsc");
  return asked.pathname + asked.search;
}
