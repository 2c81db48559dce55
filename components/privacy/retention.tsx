"use client";
import { useTranslations } from "use-intl";
import { PageHead } from "@/components/ui/page";

/** A rule of `lib/privacy/retention.ts` as the page shows it; `keep` is an interval as PostgreSQL reads it. */
export type RetentionRule = { what: string; why: string; keep: string };
type Props = { rules: readonly RetentionRule[]; years: number };
type Texts = ReturnType<typeof useTranslations<"retention">>;

/** What is deleted by its age, on a page of its own. */
export function RetentionPage(props: Props) {
  const t = useTranslations("retention");
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} />
      <RetentionTable {...props} />
    </>
  );
}

/** Every rule: what is kept, how long and what for; and what no rule deletes. */
export function RetentionTable({ rules, years }: Props) {
  const t = useTranslations("retention");
  return (
    <div className="grid gap-4">
      <table className="w-full border-b max-sm:block">
        <caption className="sr-only">{t("caption")}</caption>
        <thead className="text-left text-caption text-muted max-sm:sr-only">
          <tr>
            <th scope="col" className="py-2 pr-4 font-normal">
              {t("data")}
            </th>
            <th scope="col" className="py-2 pr-4 font-normal">
              {t("keep")}
            </th>
            <th scope="col" className="py-2 font-normal">
              {t("for")}
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rules.map(({ what, why, keep }) => (
            <tr key={what} className="border-t align-top max-sm:grid max-sm:py-2">
              <th scope="row" className="wrap-anywhere py-2 pr-4 text-left font-normal max-sm:py-0.5">
                {t(`what.${what}` as Parameters<Texts>[0])}
              </th>
              <td className="whitespace-nowrap py-2 pr-4 font-medium max-sm:py-0.5">{keepText(keep, t)}</td>
              <td className="py-2 text-muted max-sm:py-0.5">{t(`why.${why}` as Parameters<Texts>[0])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="max-w-[72ch] text-muted">
        {t("stays", { years })} {t("job")}
      </p>
    </div>
  );
}

/** "30 days" and "5 minutes" in the reader's language; nothing at all is until the row itself ends. */
function keepText(keep: string, t: Texts): string {
  const count = Number.parseInt(keep, 10);
  if (count === 0) return t("atEnd");
  if (keep.includes("year")) return t("years", { count });
  return keep.includes("minute") ? t("minutes", { count }) : t("days", { count });
}
