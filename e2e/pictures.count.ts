import { readdirSync } from "node:fs";
import { expect, test } from "./fixtures";
import { pages } from "./pages";
import { folder, notices, states, themes, widths } from "./pictures";

test("every page was photographed in every state, width and theme", () => {
  const scenes = Object.keys(pages).flatMap((name) => states.map((state) => `${name}-${state}`));
  const expected = [...scenes, ...notices.map((name) => `${name}-error`)].flatMap((scene) =>
    widths.flatMap((width) => themes.map((theme) => `${scene}-${width}-${theme}`)),
  );
  const found = readdirSync(folder).filter((file) => file.endsWith(".png"));
  expect(found.map((file) => file.replace(".png", "")).sort()).toEqual(expected.sort());
});
