import { expect, test } from "vitest";
import { html } from "@/browser/checkout/html";

test("every value in a template is escaped, and markup is not escaped twice", () => {
  const evil = `"><script>alert('x')</script>&`;
  const inner = html`<b title="${evil}">${evil}</b>`;
  const safe = "&quot;&gt;".replace("&gt;", ">");
  const text = `${safe}&lt;script>alert(&#39;x&#39;)&lt;/script>&amp;`;
  expect(inner.html).toBe(`<b title="${text}">${text}</b>`);
  expect(html`${[inner, inner]}${null}${false}${undefined}${0}`.html).toBe(`${inner.html}${inner.html}0`);
});
