import { useTranslations } from "use-intl";
import { useItems } from "@/components/frame/nav";
import { AccountLink } from "@/components/ui/link";
import { Section } from "@/components/ui/page";

/** The lists that lead to what can be simulated, by their items in the menu. */
const places = {
  transactions: "sale",
  allSubscriptions: "subscriptions",
  refunds: "refunds",
  withdrawals: "withdrawals",
  disputes: "disputes",
  publicKey: "cards",
} as const;

/** What can be simulated of each kind of record, with the list that leads to its page. */
export function Simulations() {
  const t = useTranslations("sandbox.simulate");
  const items = useItems();
  const shown = Object.entries(places).flatMap(([key, what]) =>
    items.filter((item) => item.key === key).map(({ href }) => ({ what, href })),
  );
  return (
    <Section title={t("title")}>
      <p className="mb-3 text-muted">{t("help")}</p>
      <ul className="grid list-disc gap-1.5 pl-5">
        {shown.map(({ what, href }) => (
          <li key={what}>
            <AccountLink href={href} className="underline underline-offset-4">
              {t(what)}
            </AccountLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}
