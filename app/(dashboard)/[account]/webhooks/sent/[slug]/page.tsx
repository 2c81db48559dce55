import { notFound } from "next/navigation";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { SentEvent } from "@/components/webhooks/sent-event";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readSent } from "@/lib/webhooks/describe";

export const generateMetadata = titled("sentEvents", "one");

const texts = ["sentEvents", "deliveries", "webhooks"] as const;

export default async function SentEventPage({ params }: InAccount & { params: Promise<{ slug: string }> }) {
  await requireAccount(params, "webhooks:read");
  const sent = readSent((await params).slug) ?? notFound();
  return (
    <Texts of={texts}>
      <SentEvent sent={sent} />
    </Texts>
  );
}
