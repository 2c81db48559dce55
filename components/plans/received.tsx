"use client";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { decimalOf } from "@/components/splits/percentage";
import { Money } from "@/components/ui/money";
import { SumTable } from "@/components/ui/sum-table";
import { isBilledByCard } from "@/lib/methods/methods";
import { centsOf, decimal, feeOf, sharesOf } from "@/lib/money";
import type { Plan } from "@/lib/plans/schema";

/** Who gets a part, in basis points. */
type Part = { name: string; basisPoints: number };

/** The parts of the plan's splits that count. */
export const agreedOf = ({ splits }: Plan): Part[] =>
  splits.map(({ name, email, percentage }) => ({ name: name || email, basisPoints: cents(percentage) }));

/** The parts that are typed so far. */
export const typedSplits = (rows: readonly { email: string; percentage: string }[]): Part[] =>
  rows.flatMap(({ email, percentage }) => {
    const basisPoints = centsOf(decimalOf(percentage));
    return basisPoints ? [{ name: email.trim() || "…", basisPoints }] : [];
  });

type Props = { amount: number; method: Plan["billing_method"]; splits: readonly Part[] };

/**
 * What becomes of each charge once every recipient has accepted. A card's fee depends on the sale, so there no amount is
 * known.
 */
export function Received({ amount, method, splits }: Props) {
  const { percent } = useNumbers();
  const t = useTranslations("plans");
  const points = splits.map(({ basisPoints }) => basisPoints);
  const total = points.reduce((sum, one) => sum + one, 0);
  if (total >= 10_000) return <p className="text-bad">{t("tooMuch", { percentage: percent(decimal(total)) })}</p>;
  const isCard = isBilledByCard(method);
  return (
    <div className="grid gap-2">
      {isCard ? (
        <p className="text-caption text-muted">{t(splits.length > 0 ? "cardShared" : "cardFee")}</p>
      ) : (
        amount > 0 && <OfCharge amount={amount} splits={splits} />
      )}
      {splits.length > 0 && <p className="text-caption text-muted">{t("untilAccepted")}</p>}
    </div>
  );
}

function OfCharge({ amount, splits }: Pick<Props, "amount" | "splits">) {
  const { percent } = useNumbers();
  const t = useTranslations("plans");
  const fee = feeOf(amount, useSession().fee);
  const shares = sharesOf(
    amount - fee,
    splits.map(({ basisPoints }) => basisPoints),
  );
  const rest = shares.reduce((left, share) => left - share, amount - fee);
  return (
    <SumTable
      caption={t("ofCharge")}
      lines={[
        [t("charge"), <Money key="charge" cents={amount} />],
        [t("fee"), <Money key="fee" cents={-fee} />],
        ...splits.map(
          ({ name, basisPoints }, place) =>
            [
              t("receives", { name, percentage: percent(decimal(basisPoints)) }),
              <Money key={name} cents={-(shares[place] ?? 0)} />,
            ] as const,
        ),
      ]}
      sum={[t("youReceive"), <Money key="rest" cents={rest} />]}
    />
  );
}
