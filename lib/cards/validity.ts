/** What a card says by itself: asked by the schema when it arrives, and by the card fields as it is typed. */

/** ISO/IEC 7812-1, of digits: from the right every second one counts double, its own digits added. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let index = 0; index < number.length; index += 1) {
    const digit = Number(number[number.length - 1 - index]);
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const calendar = new Intl.DateTimeFormat("en-CA", {
  timeZone: "America/Sao_Paulo",
  year: "numeric",
  month: "2-digit",
});

/** "2026-01": a card is good until the last day of its month ends in São Paulo. */
export const thisMonth = () => calendar.format(new Date());
