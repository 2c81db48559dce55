import { Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { Payouts } from "@/components/operator/payouts";
import { payoutsQuery } from "@/components/operator/withdrawal-queries";
import { requireStaff } from "@/lib/auth/session";
import { readPayouts } from "@/lib/withdrawals/payouts";

const texts = ["payoutStops"] as const;

export const generateMetadata = titled("payoutStops", "title");

export default async function Page() {
  const person = await requireStaff();
  return (
    <Texts of={texts}>
      <Hydrated for={person} reads={[[payoutsQuery, async () => ({ data: await readPayouts() })]]}>
        <Payouts />
      </Hydrated>
    </Texts>
  );
}
