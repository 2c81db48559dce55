import { MAX_DIGITS } from "@/lib/money";
import { plain } from "@/lib/typed";

/** Cents of "R$ 1.234,56", "1,234.56", "19.9" or "19"; undefined for a text that is no amount. */
export function centsOfPasted(text: string): number | undefined {
  const kept = plain(text)
    .replace(/R\$|BRL|reais/gi, "")
    .replace(/ /g, "");
  if (!/^[\d.,]*$/.test(kept)) return undefined;
  const mark = Math.max(kept.lastIndexOf("."), kept.lastIndexOf(","));
  const places = mark < 0 ? "" : kept.slice(mark + 1);
  const isDecimal = mark >= 0 && places.length <= 2 && kept.indexOf(kept[mark] ?? "") === mark;
  const whole = (isDecimal ? kept.slice(0, mark) : kept).replace(/\D/g, "");
  const digits = whole + (isDecimal ? places.padEnd(2, "0") : "00");
  return whole === "" || digits.length > MAX_DIGITS ? undefined : Number(digits);
}
