import fc from "fast-check";
import { expect, test } from "vitest";
import { type CsvFormat, csvLines } from "@/lib/lists/csv";

async function written(format: CsvFormat, ...records: Parameters<typeof list>) {
  let text = "";
  for await (const line of csvLines(format, ["name", "amount"], list(...records))((record) => record)) text += line;
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

/** A line as Excel splits it: by semicolons outside of quotes. */
function cellsOf(line: string): string[] {
  const cells = [...line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;"]*))/g)];
  return cells.map(([, inQuotes, plain]) => inQuotes?.replaceAll('""', '"') ?? plain ?? "");
}

/** What a formula of texts alone is worth; undefined for anything else. */
function worthOf(formula: string): string | undefined {
  if (!/^="(?:[^"]|"")*"(?:&"(?:[^"]|"")*")*$/.test(formula)) return undefined;
  const texts = [...formula.matchAll(/"((?:[^"]|"")*)"/g)].map(([, text = ""]) => text.replaceAll('""', '"'));
  expect(texts.every((text) => text.length <= 255)).toBe(true);
  return texts.join("");
}

const lastLineOf = async (format: CsvFormat, name: string) =>
  (await written(format, [name, "1.00"])).split("amount\r\n")[1]?.slice(0, -2) ?? "";

test.each([
  ...["00123", "1/2", "1E5", "52998224725", "529.982.247-25", "12345678901234567890", "10-20", "3 mar", "12:30"],
  ...["1,5", "50%", "R$ 10,00", "+55 11 98765-4321", "=1+1", "-1", "@1", "½", "１２", 'Loja 24h; "A"', "1".repeat(600)],
])("Excel shows the text %j as it is, and a program reads it as it is", async (name) => {
  const [cell = "", amount] = cellsOf(await lastLineOf("excel", name));
  expect(worthOf(cell)).toBe(name);
  expect(amount).toBe("1,00");
  const raw = await lastLineOf("raw", name);
  expect(raw).not.toMatch(/^"?=/);
});

test("no text at all is a number or a formula of its own in Excel", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (name) => {
      const [cell = ""] = cellsOf(await lastLineOf("excel", name));
      if (/\p{N}/u.test(name)) {
        expect(worthOf(cell)).toBe(name);
      } else {
        expect([name, `'${name}`]).toContain(cell);
        expect(cell).not.toMatch(/^\s*[=+\-@]/);
      }
    }),
  );
});
