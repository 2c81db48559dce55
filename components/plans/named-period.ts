/**
 * The periods that the name of a plan may say, in Portuguese and in English, with the days that agree with it: a month has
 * 28 to 31.
 */
const names: readonly [said: RegExp, least: number, most: number][] = [
  [/^(diári[oa]|daily)$/, 1, 1],
  [/^(semanal|weekly)$/, 7, 7],
  [/^(quinzenal|biweekly|fortnightly)$/, 14, 16],
  [/^(mensal|monthly)$/, 28, 31],
  [/^(bimestral|bimonthly)$/, 59, 62],
  [/^(trimestral|quarterly)$/, 89, 92],
  [/^(semestral|half-yearly)$/, 180, 184],
  [/^(anual|yearly|annual)$/, 360, 366],
];

/** Whether the name of a plan says another period than that of so many days. */
export function contradicts(name: string, days: number): boolean {
  const words = name
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}-]+/u);
  const said = names.filter(([word]) => words.some((one) => word.test(one)));
  return said.length > 0 && said.every(([, least, most]) => days < least || days > most);
}
