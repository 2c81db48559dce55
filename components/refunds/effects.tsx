"use client";
import { useTranslations } from "use-intl";
import { useNumbers } from "@/components/format";
import { effectOf, type RefundableSale } from "@/components/refunds/effect";
import { Money } from "@/components/ui/money";
import { SumTable } from "@/components/ui/sum-table";
import type { RefundDetail } from "@/lib/refunds/schema";

type End = RefundDetail["cancel_subscription"];
/** Who asks for a refund: the seller reads of its own balance, the staff of the seller's. */
export type Asker = "seller" | "staff";
type Props = { sale: RefundableSale; by: Asker; amount: number; end: End };

/** Every effect of a refund in cents, before it is asked for. */
export function RefundEffects({ sale, by, amount, end }: Props) {
  const { money } = useNumbers();
  const t = useTranslations("refunds");
  const words = useTranslations(`refunds.by.${by}`);
  const { fee, saleFee, isPending, pending, rest, left, returned } = effectOf(sale, amount);
  const sentences = [
    pending > 0 && words("from", { pending: money(pending), rest: money(rest) }),
    ...(isPending ? [] : returned.map(({ name, amount }) => words("shareLater", { name, amount: money(amount) }))),
    isPending && returned.length > 0 && t("effect.sharesHeld"),
    saleFee > 0 && t("effect.saleFee", { amount: money(saleFee) }),
    left > 0 && t("effect.left", { amount: money(left) }),
    sale.related.subscription !== null && t(`effect.subscription.${end ?? "goes_on"}`),
    t("effect.refused"),
  ].filter((sentence) => sentence !== false);
  return (
    <div className="grid gap-3 rounded-card border bg-ground px-4 py-3">
      <SumTable
        caption={t("effect.title")}
        lines={[
          [t("effect.back"), <Money key="amount" cents={amount} />],
          [t("effect.fee"), <Money key="fee" cents={fee} />],
          ...(isPending
            ? returned.map(
                (one) => [t("effect.share", { name: one.name }), <Money key={one.name} cents={-one.amount} />] as const,
              )
            : []),
        ]}
        sum={[words("held"), <Money key="held" cents={pending + rest} />]}
      />
      <ul className="wrap-anywhere grid list-disc gap-1 pl-4 text-caption text-muted">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
