/** 9,999,999,999.99 in cents: the largest amount that EMV field 54 can hold. */
export const MAX_AMOUNT = 999_999_999_999;

/** How many digits the largest amount has, its cents among them. */
export const MAX_DIGITS = String(MAX_AMOUNT).length;

const DECIMAL = new RegExp(`^(\\d{1,${MAX_DIGITS - 2}})(?:\\.(\\d{1,2}))?$`);

/**
 * Cents of a decimal text with at most two places, or undefined. It reads the digits, never a float: "19.99" is 1999,
 * "1.005" and "1,00" are undefined.
 */
export function centsOf(text: string): number | undefined {
  const [, whole, places = ""] = DECIMAL.exec(text) ?? [];
  return whole === undefined ? undefined : Number(whole + places.padEnd(2, "0"));
}

/** Cents as the JSON number of reais that the Pix and card operations answer with. */
export const reais = (cents: number | bigint) => Number(cents) / 100;

/** Cents as a decimal string with two places: "1234.56", "-0.05". */
export function decimal(cents: number | bigint): string {
  const digits = String(cents < 0 ? -cents : cents).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** "R$ 1.234,56" of cents, in English "R$ 1,234.56", with a space that does not break. */
export function moneyText(cents: number | bigint, locale: "pt-BR" | "en" = "pt-BR"): string {
  const [whole = "", places] = decimal(cents < 0 ? -cents : cents).split(".");
  const [thousands, point] = locale === "en" ? [",", "."] : [".", ","];
  return `${cents < 0 ? "−" : ""}R$\u00a0${whole.replace(/\B(?=(\d{3})+$)/g, thousands)}${point}${places}`;
}

/** "12,5%", in English "12.5 %", of a number of percent or a decimal string. */
export function percentText(value: number | string, locale: "pt-BR" | "en" = "pt-BR"): string {
  const digits = String(Number(value));
  return locale === "en" ? `${digits}\u00a0%` : `${digits.replace(".", ",")}%`;
}

/** A fraction of cents, not negative, rounded half to even. The program rounds nowhere else. */
export function rounded(numerator: bigint, denominator: bigint): number {
  const floor = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && floor % 2n === 1n);
  return Number(up ? floor + 1n : floor);
}

/** `cents × basisPoints / 10000`. */
export const portion = (cents: number, basisPoints: number) => rounded(BigInt(cents) * BigInt(basisPoints), 10_000n);

/**
 * Each recipient's share of the net, in cents. A share is rounded once and is never more than what is left, so that
 * shares and the seller's rest always add up to the net.
 */
export function sharesOf(net: number, basisPoints: readonly number[]): number[] {
  let rest = net;
  return basisPoints.map((points) => {
    const share = Math.min(rest, portion(net, points));
    rest -= share;
    return share;
  });
}

export type FeeSchedule = { basisPoints: number | null; fixed: number; minimum: number };

/** The platform's fee on an amount, in cents: percent + fixed, at least the minimum, never more than the amount. */
export function feeOf(amount: number, { basisPoints, fixed, minimum }: FeeSchedule): number {
  if (basisPoints === null) return 0;
  return Math.min(amount, Math.max(minimum, portion(amount, basisPoints) + fixed));
}
