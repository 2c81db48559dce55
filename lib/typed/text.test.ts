import { expect, test } from "vitest";
import { federativeUnitOf, federativeUnits } from "@/lib/typed/addresses";
import { areaCodes } from "@/lib/typed/phones";
import { digitsIn, plain, signsOf, upper } from "@/lib/typed/text";

/** Marks without a width: of joining and direction, of variation, and the byte order mark. */
const RANGES = [
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2069],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
] as const;

test("every invisible mark is left out, wherever it stands", () => {
  for (const [first, last] of RANGES) {
    for (let code = first; code <= last; code += 1) {
      const mark = String.fromCharCode(code);
      expect(plain(`${mark}1${mark}2${mark}`), code.toString(16)).toBe("12");
    }
  }
});

test("every dash is a hyphen, every space a space, every full-width digit a digit", () => {
  for (const dash of "-\u058a\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d")
    expect(plain(dash)).toBe("-");
  for (const space of "\t\n\r\u00a0\u1680\u2000\u2007\u2009\u202f\u205f\u3000") expect(plain(space)).toBe(" ");
  expect(plain("０１２３４５６７８９")).toBe("0123456789");
});

test("signs of other alphabets stay what they are, and are no digits", () => {
  for (const sign of ["О", "Ο", "о", "l", "І", "٠", "०", "𝟎", "¹", "①"]) {
    expect(signsOf(sign)).toBe(sign);
    expect(digitsIn(`1${sign}2`)).toBeUndefined();
  }
  expect(upper("aıſK")).toBe("AıſK");
});

test("there are 67 area codes, and 27 units that are known by letters and by name", () => {
  expect(areaCodes.size).toBe(67);
  expect(Object.keys(federativeUnits)).toHaveLength(27);
  for (const [unit, name] of Object.entries(federativeUnits)) {
    const bare = name.normalize("NFD").replace(/\p{M}/gu, "");
    for (const text of [unit, unit.toLowerCase(), `BR-${unit}`, name, name.toUpperCase(), bare, bare.toLowerCase()]) {
      expect(federativeUnitOf(text), text).toBe(unit);
    }
  }
});
