import { readdirSync } from "node:fs";
import { expect, test } from "./fixtures";
import { pages } from "./pages";
import { folder, formsOf, notices, type State, states } from "./pictures";

/** Pages of what never changes: they are never empty, and wait for nothing. */
const references = ["sent-events", "sent-event"];

test("every page was photographed in every state and its forms", () => {
  const named = (name: string, state: State) =>
    formsOf(state).map(({ width, theme }) => `${name}-${state}-${width}-${theme}`);
  const expected = [
    ...Object.keys(pages).flatMap((name) => states.flatMap((state) => named(name, state))),
    ...notices.flatMap((name) => named(name, "error")),
    ...references.flatMap((name) => named(name, "full")),
  ];
  const found = readdirSync(folder).filter((file) => file.endsWith(".png"));
  expect(found.map((file) => file.replace(".png", "")).sort()).toEqual(expected.sort());
});
