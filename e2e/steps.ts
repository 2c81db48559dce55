import type { Page } from "./fixtures";

/** Counts what a person does on the pages that are opened from now on: each press, and each field that is filled in or chosen. */
export async function countSteps(page: Page) {
  const steps = { presses: 0, fields: 0 };
  await page.exposeFunction("countStep", (kind: keyof typeof steps) => {
    steps[kind] += 1;
  });
  await page.addInitScript(() => {
    const { countStep } = window as unknown as { countStep: (kind: string) => void };
    addEventListener("pointerdown", () => countStep("presses"), true);
    const isPressed = (field: EventTarget | null) =>
      field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type);
    addEventListener("change", ({ target }) => isPressed(target) || countStep("fields"), true);
  });
  return steps;
}
