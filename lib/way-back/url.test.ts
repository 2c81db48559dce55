import { expect, test } from "vitest";
import { leadsHome, wayBackOf, withQuery } from "@/lib/way-back/url";

const home = { mode: "live", origins: ["https://loja.example", "http://localhost:4000"] } as const;

test.each([
  "//evil.example/a",
  "\\\\evil.example\\a",
  "https:\\\\loja.example\\a",
  "https:/\\evil.example",
  "https:loja.example",
  "https:///evil.example",
  "/obrigado",
  "javascript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "ftp://loja.example/a",
  "http://loja.example/a",
  "https://loja.example@evil.example/",
  "https://user:secret@loja.example/",
  "https://@loja.example/",
  "https://loja.example\\@evil.example/",
  "https://loja.example/a#b",
  "https://loja.example/#",
  "https://loja.example/a b",
  "https://loja.example/\u0000",
  "https://loja.example/\t/a",
  "https://[::1]/a",
  "https://loja.example/?status=completed",
  "https://loja.example/?a=1&signature=x",
  "https://*.example/",
  "",
])("%j is no way back", (address) => {
  expect(wayBackOf(address)).toBeUndefined();
  expect(leadsHome(address, home)).toBe(false);
});

test.each([
  "https://evil.example/",
  "https://loja.example.evil.example/",
  "https://loja.example:8443/",
  "https://pay.loja.example/",
  "http://localhost:4000/", // of a sandbox alone
])("%s leads to no domain of the account", (address) => expect(leadsHome(address, home)).toBe(false));

test("an address is kept as browsers send it, and leads home by its origin alone", () => {
  const kept = wayBackOf("HTTPS://Loja.Example:443/Obrigado?pedido=4 2".replace(" ", "%20")) ?? "";
  expect(kept).toBe("https://loja.example/Obrigado?pedido=4%202");
  expect(leadsHome(kept, home)).toBe(true);
  expect(leadsHome("http://localhost:4000/a", { ...home, mode: "sandbox" })).toBe(true);
});

test.each([
  ["https://loja.example/", "https://loja.example/?x=1"],
  ["https://loja.example/?", "https://loja.example/?x=1"],
  ["https://loja.example/a?b=c%20d&b=+e", "https://loja.example/a?b=c%20d&b=+e&x=1"],
])("what stands in the query of %s stays as it is", (address, wanted) =>
  expect(withQuery(address, { x: "1" })).toBe(wanted),
);
