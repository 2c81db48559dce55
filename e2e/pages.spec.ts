import { test } from "./fixtures";
import { pages } from "./pages";
import { photograph, states } from "./pictures";

/** A page that is broken on purpose logs an error in the console, and so does a held or refused request. */
test.use({ allowErrors: /Server Components render|Failed to load resource|An error occurred|React error #441/ });

for (const [name, { guest, scenes }] of Object.entries(pages)) {
  for (const state of states) {
    test(`${name}, ${state}: is photographed, and axe finds nothing`, async ({ page, context, seller }) => {
      if (guest) await context.clearCookies();
      await scenes[state]({ page, seller });
      await photograph(page, name, state);
    });
  }
}
