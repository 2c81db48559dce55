import { Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { EventRecord } from "@/components/webhooks/event";
import { eventQuery } from "@/components/webhooks/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readEvent } from "@/lib/webhooks/events";

export const generateMetadata = titled("events", "one");

const texts = ["events", "deliveries", "webhooks"] as const;

export default async function EventPage({ params }: InAccount & { params: Promise<{ id: string }> }) {
  const session = await requireAccount(params, "webhooks:read");
  const { id } = await params;
  const { account } = session;
  return (
    <Texts of={texts}>
      <Hydrated for={session} reads={[[eventQuery(account.id, id), () => readEvent(account.id, id)]]}>
        <EventRecord id={id} />
      </Hydrated>
    </Texts>
  );
}
