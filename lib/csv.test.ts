import { expect, test } from "vitest";
import { type CsvFormat, csvLines } from "@/lib/csv";

async function written(format: CsvFormat, ...records: Parameters<typeof list>) {
  let text = "";
  for await (const line of csvLines(format, ["name", "amount"], list(...records))) text += line;
  return text;
}

async function* list(...records: [string | null, string][]) {
  for (const [name, decimal] of records) yield [[name, { decimal }]];
}

test("a program reads commas and points, a Brazilian Excel semicolons, commas and its mark", async () => {
  expect(await written("raw", ["Ana", "-12.50"])).toBe("name,amount\r\nAna,-12.50\r\n");
  expect(await written("excel", ["Ana", "-12.50"])).toBe("\uFEFFname;amount\r\nAna;-12,50\r\n");
});

test("a text with separators, quotes or lines stays one cell, and an absent one is empty", async () => {
  const lines = await written("raw", ['Ana "A", Lda;\n2', "1.00"], [null, "1.00"]);
  expect(lines).toBe('name,amount\r\n"Ana ""A"", Lda;\n2",1.00\r\n,1.00\r\n');
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1"])(
  "%j is shown as text and never calculated",
  async (name) => {
    const cell = (await written("raw", [name, "1.00"])).slice("name,amount\r\n".length);
    expect(cell.replace(/^"/, "")).toMatch(/^'/);
  },
);
