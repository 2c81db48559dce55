"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useClock } from "@/components/subscriptions/actions-effect";
import { openCharge, type Subscription } from "@/components/subscriptions/detail-queries";
import { hasLeft, unpaid } from "@/components/transactions/queries";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/page";
import type { Advanced, MandateAction } from "@/lib/sandbox/schema";

const LOOK_EVERY_MS = 1_000;

type Props = { subscription: Subscription };

/** Sandbox: plays the payer, and moves the account's clock. */
export function Simulate({ subscription }: Props) {
  const t = useTranslations("subscriptions.detail.simulate");
  const { next_charge_at, status } = subscription;
  const { daysUntil, dayOf } = useClock();
  const advance = useAdvance();
  const isRunning = advance.isPending;
  return (
    <Section title={t("title")} className="max-lg:order-first">
      <div className="flex flex-wrap gap-2">
        <PayCode subscription={subscription} />
        {next_charge_at && status !== "cancelled" && daysUntil(next_charge_at) > 0 && (
          <Button busy={isRunning} onClick={() => advance.mutate({ to: next_charge_at })}>
            {t("toNext", { day: dayOf(next_charge_at) })}
          </Button>
        )}
        <Button busy={isRunning} onClick={() => advance.mutate({ days: 1 })}>
          {t("oneDay")}
        </Button>
        <Payer subscription={subscription} />
      </div>
      <p role="status" className="mt-2 text-caption text-muted">
        {isRunning ? t("running") : t("help")}
      </p>
    </Section>
  );
}

/** Moves the clock, and waits until all that is due on the way is done. */
function useAdvance() {
  const t = useTranslations("subscriptions.detail.simulate");
  const api = useApi();
  const router = useRouter();
  return useAction({
    async act(to: { days: number } | { to: string }) {
      let advanced = await api.post<Advanced>("/api/partner/v1/sandbox/clock/advance", to);
      while (!advanced.done) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
        advanced = await api.get<Advanced>(`/api/partner/v1/sandbox/clock/advance/${advanced.progress_id}`);
      }
      // The clock stands still until there is room, as if it had been refused.
      const { stopped_by: code } = advanced;
      if (code) throw Object.assign(new Error(code), { status: 422, code });
    },
    done: t("advanced"),
    refresh: [api.account],
    onDone: () => router.refresh(), // the page's own clock comes from the server
  });
}

function PayCode({ subscription }: Props) {
  const t = useTranslations("subscriptions.detail.simulate");
  const api = useApi();
  const { pix_code, identifier } = openCharge(subscription)?.payment ?? {};
  const pay = useAction({
    async act() {
      await api.post(`/api/partner/v1/sandbox/pix/${identifier}/pay`);
      await hasLeft(api, identifier ?? "", unpaid);
    },
    done: t("paid"),
    refresh: [api.account, "subscriptions"],
  });
  if (!pix_code || !identifier) return null;
  return (
    <>
      <Button busy={pay.isPending} onClick={() => pay.mutate()}>
        {t(pay.isPending ? "paying" : "pay")}
      </Button>
      <p role="status" className="sr-only">
        {pay.isPending && t("paying")}
      </p>
    </>
  );
}

/** What the payer does with the mandate, and whether the payer's account has the money for debits. */
const payerActions = {
  created: ["authorise", "refuse"],
  approved: ["cancel", "none", "closed", "away", "enough"],
} as const satisfies Record<string, readonly MandateAction["action"][]>;

function Payer({ subscription: { token, mandate } }: Props) {
  const t = useTranslations("subscriptions.detail.simulate.payer");
  const api = useApi();
  const play = useAction({
    act: (action: MandateAction["action"]) =>
      api.post(`/api/partner/v1/sandbox/subscriptions/${token}/mandate`, { action }),
    done: t("done"),
    refresh: [api.account, "subscriptions"],
  });
  const status = mandate?.id ? mandate.status : undefined;
  if (status !== "created" && status !== "approved") return null;
  return payerActions[status].map((action) => (
    <Button key={action} busy={play.isPending} onClick={() => play.mutate(action)}>
      {t(action)}
    </Button>
  ));
}
