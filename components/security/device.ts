/** Browsers by their mark in a user agent; each also has the marks of those below it. */
const browsers = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;

const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** Browser and system of a user agent, by their own names; null for one that is not known. */
export const deviceOf = (userAgent: string) => ({
  browser: browsers.find(([mark]) => userAgent.includes(`${mark}/`))?.[1] ?? null,
  system: systems.find(([mark]) => userAgent.includes(mark))?.[1] ?? null,
});
