import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Frame, TestInfo } from "@playwright/test";
import type { AxeResults, RunOptions } from "axe-core";
import { expect, type Page } from "./fixtures";

/** Where each state's pictures and axe results go; never inside the project. */
export const folder = process.env.SCREENSHOTS_DIR ?? "";

const widths = [360, 1280] as const;
const themes = ["light", "dark"] as const;
export const states = ["full", "empty", "loading", "error"] as const;
export type State = (typeof states)[number];
/** Notices that may lie over any page. They are photographed in their own tests, as errors. */
export const notices = [
  "account-changed",
  "session-ended",
  "offline",
  "not-loaded",
  "outcome-unknown",
  "waiting",
] as const;

/** axe's rules about colours, the only ones that a theme can break. */
const COLOURS = ["color-contrast", "link-in-text-block"];

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The forms in which a state is photographed: a full page in all, another state in two that have each width and theme. */
export const formsOf = (state: State) =>
  widths.flatMap((width, column) =>
    themes.flatMap((theme, row) => (state === "full" || column !== row ? [{ width, theme }] : [])),
  );

/** Photographs a state in each of its forms, and expects that axe finds nothing, also in frames. */
export async function photograph(page: Page, name: string, state: State) {
  mkdirSync(folder, { recursive: true });
  const frames = await framesWithScripts(page);
  const devtools = await page.context().newCDPSession(page);
  let width = 0;
  for (const form of formsOf(state)) {
    const isWidthNew = form.width !== width;
    width = form.width;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: form.theme });
    const file = join(folder, `${name}-${state}-${width}-${form.theme}`);
    const { data } = await devtools.send("Page.captureScreenshot", { optimizeForSpeed: true });
    writeFileSync(`${file}.png`, data, "base64");
    const violations = [];
    for (const frame of frames) violations.push(...(await violationsIn(frame, isWidthNew ? "all" : "colours")));
    writeFileSync(`${file}.json`, JSON.stringify(violations, null, 2));
    expect(violations, `${name} ${state} ${width} ${form.theme}`).toEqual([]);
    await expectNoSidewaysScroll(page, width);
    await expectAmountsOnOneLine(page);
    await expectHeadsApart(page);
  }
}

/** Photographs what is open, wide and light, then narrow and dark; axe finds nothing in either. */
export async function photographOpen(page: Page, info: TestInfo, name: string) {
  for (const [width, colorScheme] of [
    [1280, "light"],
    [360, "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    expect(await violationsIn(page, "all")).toEqual([]);
    await page.screenshot({ path: info.outputPath(`${name}-${width}.png`) });
  }
}

/** The frames that axe can run in: a mail is shown in one without scripts, and e2e/mails.spec.ts looks at it alone. */
async function framesWithScripts(page: Page) {
  const allowed = [];
  for (const frame of page.frames()) {
    const sandbox = frame.parentFrame() && (await (await frame.frameElement()).getAttribute("sandbox"));
    if (sandbox === null || sandbox.includes("allow-scripts")) allowed.push(frame);
  }
  return allowed;
}

/** What axe finds in a page or frame as it is, by all rules or by those of colours. */
export async function violationsIn(place: Page | Frame, rules: "all" | "colours" = "all") {
  if (!(await place.evaluate(() => "axe" in window))) await place.evaluate(axe);
  return place.evaluate(runAxe, rules === "all" ? {} : { runOnly: COLOURS });
}

async function runAxe(rules: RunOptions) {
  const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
  // Only what axe found in order is not listed, which would take longer than the rules.
  const { violations } = await axe.run({ ...rules, resultTypes: ["violations"], selectors: false });
  return violations.map(({ id, help, nodes }) => ({ id, help, targets: nodes.map(({ html }) => html.slice(0, 200)) }));
}

async function expectNoSidewaysScroll(page: Page, width: number) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide, `at ${width} px nothing sticks out`).toBeLessThanOrEqual(width);
}

/** Expects that the headings of a table's columns do not run together. */
export async function expectHeadsApart(page: Page) {
  const close = await page.evaluate(() =>
    [...document.querySelectorAll("thead")].flatMap((thead) => {
      if (thead.getBoundingClientRect().width <= 1) return []; // on a phone all are only read aloud
      const heads = [...thead.querySelectorAll("th")].flatMap((head) => {
        const range = document.createRange();
        range.selectNodeContents(head);
        const { left, right } = range.getBoundingClientRect();
        return right - left > 1 ? [{ text: head.textContent, left, right }] : []; // one of buttons is too
      });
      return heads.filter(({ left }, place) => left - (heads[place - 1]?.right ?? Number.NEGATIVE_INFINITY) < 8);
    }),
  );
  expect(close, "headings that touch the one before").toEqual([]);
}

/** Expects that every amount of the page is on one line and not cut. */
export async function expectAmountsOnOneLine(page: Page) {
  const broken = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { index, 0: amount } of (node.textContent ?? "").matchAll(/−?R\$\s[\d.]+(,\d\d)?/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + amount.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        const isCut = range.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
        if (tops.size > 1 || isCut) found.push(amount);
      }
    }
    return found;
  });
  expect(broken, "amounts that wrap or stick out").toEqual([]);
}
