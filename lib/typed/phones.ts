import { plain, signsOf } from "@/lib/typed/text";

/** The 67 area codes (DDD) of Brazil, by Anatel's numbering plan. */
export const areaCodes: ReadonlySet<string> = new Set(
  (
    "11 12 13 14 15 16 17 18 19 21 22 24 27 28 31 32 33 34 35 37 38 41 42 43 44 45 46 47 48 49 51 53 54 55 61 62 63 64 " +
    "65 66 67 68 69 71 73 74 75 77 79 81 82 83 84 85 86 87 88 89 91 92 93 94 95 96 97 98 99"
  ).split(" "),
);

/**
 * Why a text is no phone: a number that is dialled without an area code, one whose area code was left out, an area code
 * that does not exist, the rest.
 */
export type PhoneFault = "toll_free" | "no_area_code" | "area_code" | "form";

/**
 * A phone as people type or paste it: a Brazilian one as its 10 or 11 digits, one of another country, which begins with
 * "+", or with "00" as it is dialled from abroad, as E.164. What is only dialled is no part of the number: the trunk zero,
 * a carrier's code after it ("0 15 11 …", "0xx11 …"), and the country's 55 with or without "+". Of a Brazilian number only
 * length and area code are checked, because programs send mobile numbers of before the ninth digit too.
 *
 * With `anyDigits`, for programs, 10 or 11 plain digits that would be refused are a phone as they are.
 */
export function phoneOf(text: string, { anyDigits = false } = {}): { phone: string } | { fault: PhoneFault } {
  const refused = (fault: PhoneFault) => (anyDigits && /^\d{10,11}$/.test(text) ? { phone: text } : { fault });
  const signs = signsOf(plain(text).replace("(0)", "")).replace(/^00/, "+");
  const isForeign = /^\+(?!55)/.test(signs);
  if (isForeign) return /^\+[1-9]\d{6,14}$/.test(signs) ? { phone: signs } : refused("form");
  const national = signs.replace(/^\+55|^55(?=0|\d{10,}$)/, "");
  if (/^0?[3589]00\d{6,7}$/.test(national)) return refused("toll_free");
  const phone = national.replace(/^0(xx|[1-9]\d)?(?=\d{10,11}$)/i, "");
  if (/^\d{8,9}$/.test(phone)) return refused("no_area_code");
  if (!/^\d{10,11}$/.test(phone)) return refused("form");
  return areaCodes.has(phone.slice(0, 2)) ? { phone } : refused("area_code");
}
