import { type ComponentProps, createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { describe, expect, test } from "vitest";
import { wordsIn } from "@/browser/checkout/words";
import { usePeriod } from "@/components/format";
import { daysBetween, dueDayOf } from "@/lib/billing/calendar";
import type { BillingName } from "@/lib/methods/methods";
import { type Locale, locales } from "@/messages";
import { catalogues } from "@/messages/catalogues";

/** Its children are arguments of `createElement`. */
const Provider = IntlProvider as FunctionComponent<Omit<ComponentProps<typeof IntlProvider>, "children">>;

/** How the panel says the period of a plan. */
function inPanel(locale: Locale, plan: { periodicity_days: number; billing_method: BillingName }): string {
  const Period = () => usePeriod()(plan);
  const messages = catalogues[locale];
  return renderToStaticMarkup(createElement(Provider, { locale, messages, timeZone: "UTC" }, createElement(Period)));
}

const CALENDAR = /mês|trimestre|semestre|month|quarter|half-year/;
const methods = ["qr_code", "credit_card", "pix_automatico"] as const;
const cases = methods.flatMap((method) => [1, 7, 15, 30, 45, 90, 180, 365].map((days) => [method, days] as const));

describe.each(locales)("what is said of a period (%s)", (locale) => {
  test.each(cases)(
    "by %s every %i days is what the calendar does, and the same in panel and checkout",
    (method, days) => {
      const inMonths = method === "pix_automatico";
      const calendar = { anchor: "2027-01-15", anchorCycle: 1, periodicityDays: days, inMonths };
      const dues = [1, 2, 3, 4, 5].map((number) => dueDayOf(calendar, number));
      const said = wordsIn(locale).period(days, inMonths);
      expect(inPanel(locale, { periodicity_days: days, billing_method: method })).toBe(said);
      const isOnOneDay = dues.every((due) => due.endsWith("-15"));
      if (CALENDAR.test(said)) expect(isOnOneDay, said).toBe(true);
      const number = /\d+/.exec(said)?.[0];
      for (const [place, due] of dues.slice(1).entries()) {
        if (number) expect(daysBetween(dues[place] ?? "", due), said).toBe(Number(number));
      }
    },
  );
});
