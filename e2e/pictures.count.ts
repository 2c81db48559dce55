import { readdirSync } from "node:fs";
import { expect, test } from "./fixtures";
import { pages } from "./pages";
import { folder, states, themes, widths } from "./pictures";

test("every page was photographed in every state, width and theme", () => {
  const expected = Object.keys(pages).flatMap((name) =>
    states.flatMap((state) => widths.flatMap((width) => themes.map((theme) => `${name}-${state}-${width}-${theme}`))),
  );
  const found = readdirSync(folder).filter((file) => file.endsWith(".png"));
  expect(found.map((file) => file.replace(".png", "")).sort()).toEqual(expected.sort());
});
