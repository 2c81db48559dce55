import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { errors } from "@/lib/errors";
import { type Locale, locales } from "@/messages";
import { catalogues } from "@/messages/catalogues";

/** What no reader is shown: another word for a thing that has one, and phrases that told nobody what to do. */
const forbidden: Record<Locale, readonly RegExp[]> = {
  "pt-BR": [
    /\btarifas?\b/i,
    /charge\s?back/i,
    /deslig/i,
    /tokenizar/i,
    /o par com que/i,
    /a cada 365 dias/,
    /campo obrigatório/i,
    /caixa de entrada/i,
    /momentos? (em que|com)/,
    /muitos pedidos/i,
    /sem próximo passo/i,
    /em Origin\b/,
    /até [^.]*, 00:00/,
  ],
  en: [
    /\btariffs?\b/i,
    /charge\s?back/i,
    /make the charge/i,
    /off sale/i,
    /turn(ed)? (\w+ )*(on|off)\b/i,
    /^see\b/i,
    /\bcall \{event\}/i,
    /their passing through/i,
    /pays \{amount\}, until/i,
    /too many requests/i,
    /the inbox\b/i,
    /no next step/i,
    /as Origin\b/,
    /required field|field is required/i,
    /every 365 days/,
    /[\d}]%/, // 7.25 %
    /R\$\s?[\d.]*,\d\d\b/, // R$ 2,148.90
  ],
};

/** The technical name of an event, which stands in no sentence. */
const EVENT = /\b(transaction|subscription|cycle|mandate|cashin|cashout|card)\.[a-z_]+\b/;

type Text = readonly [path: string, text: string];

function textsIn(node: object, path = ""): Text[] {
  return Object.entries(node).flatMap(([key, value]) => {
    const here = path ? `${path}.${key}` : key;
    return typeof value === "string" ? [[here, value] as const] : textsIn(value, here);
  });
}

const found = (texts: readonly Text[], words: readonly RegExp[]) =>
  texts.flatMap(([path, text]) => words.flatMap((word) => (word.test(text) ? [`${path}: ${text} (${word})`] : [])));

describe.each(locales)("the texts of pages and mails (%s)", (locale) => {
  const texts = textsIn(catalogues[locale]);

  test("use one word for a thing, and say what to do", () => {
    expect(texts.length).toBeGreaterThan(500); // of nothing it would be true too
    expect(found(texts, forbidden[locale])).toEqual([]);
  });

  test("name no event in a sentence", () => {
    expect(found(texts, [EVENT])).toEqual([]);
  });
});

test("the API's errors use the same words", () => {
  const texts = Object.entries(errors).map(([code, [, text]]): Text => [code, text]);
  expect(found(texts, [/\btarifas?\b/i, /charge\s?back/i, /deslig/i, EVENT])).toEqual([]);
});

test("no page writes a text or an amount past the catalogues", () => {
  const files = ["browser", "components"]
    .flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.|\.generated\./.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
  const past = files.filter((file) =>
    /R\$ ?\d|\b[Tt]arifas?\b|(?<!\/)[Cc]hargeback(?!ed|_fee|Fee)/.test(withoutComments(file)),
  );
  expect(past).toEqual([]);
});

const withoutComments = (file: string) => readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
