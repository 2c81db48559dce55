/**
 * "São João & Cia. ½ kg" → "Sao Joao & Cia. 1/2 kg": text in printable ASCII with the meaning that it had, cut to
 * `length`. What Unicode decomposes is decomposed, dashes, quotes and letters of the Latin alphabet become those that
 * ASCII has, marks and invisible characters go, and anything else is a space. Printable ASCII stays as it is, but for
 * spaces in a row and at the ends.
 */
export function foldToAscii(text: string, length: number): string {
  return text
    .replace(APART, "$1 ")
    .replace(POWER, "$1^")
    .replaceAll("\u00b4", "'")
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/gu, inAscii)
    .replace(/ +/g, " ")
    .trim()
    .slice(0, length)
    .trimEnd();
}

/** A digit before a fraction of one character: 2½ is "2 1/2", because "21/2" is another number. */
const APART = /(\d)(?=[\u00bc-\u00be\u2150-\u215f\u2189])/g;
/** A digit before a raised one: 10² is "10^2", because "102" is another number. */
const POWER = /(\d)(?=[\u00b2\u00b3\u00b9\u2070\u2074-\u2079])/g;

const inAscii = (character: string): string =>
  alike.get(character) ?? (/\p{Pd}/u.test(character) ? "-" : /[\p{M}\p{Cf}]/u.test(character) ? "" : " ");

/** What Unicode does not decompose, by what it is written as in ASCII. */
const written = {
  ...{ "-": "−⁃", "'": "‘’‚‛‹›′ʹʻʼʽˈ", '"': "“”„‟«»", "/": "⁄∕÷", x: "×✕✖", "*": "∗", "~": "∼" },
  ...{ A: "Ⱥ", AE: "Æ", B: "ɃƁ", C: "ȻƇ", D: "ÐĐƉƊ", E: "Ɇ", F: "Ƒ", G: "ǤƓ", H: "ĦⱧ", I: "Ɨ", J: "Ɉ", K: "ƘⱩ" },
  ...{ L: "ŁȽⱠ", N: "ŊƝ", O: "ØƟ", OE: "Œ", P: "ƤⱣ", R: "ɌⱤ", SS: "ẞ", T: "ŦƬȾ", TH: "Þ", U: "Ʉ", Y: "ɎƳ", Z: "ƵⱫ" },
  ...{ a: "ⱥ", ae: "æ", b: "ƀɓ", c: "ȼƈ", d: "ðđɖɗ", e: "ɇ", f: "ƒ", g: "ǥɠ", h: "ħⱨ", i: "ıɨ", j: "ɉȷ", k: "ĸƙⱪ" },
  ...{ l: "łƚⱡ", n: "ŋɲ", o: "øɵ", oe: "œ", p: "ƥᵽ", r: "ɍɽ", ss: "ß", t: "ŧƭⱦ", th: "þ", u: "ʉ", y: "ɏƴ", z: "ƶⱬ" },
};

const alike = new Map(
  Object.entries(written).flatMap(([ascii, others]) => [...others].map((other) => [other, ascii] as const)),
);
