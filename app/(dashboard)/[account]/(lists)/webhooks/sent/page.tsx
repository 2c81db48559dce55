import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { SentEvents } from "@/components/webhooks/sent";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { catalogue } from "@/lib/webhooks/catalogue";

export const generateMetadata = titled("sentEvents", "title");

const texts = ["sentEvents", "deliveries", "webhooks"] as const;

export default async function SentEventsPage({ params }: InAccount) {
  await requireAccount(params, "webhooks:read");
  const sent = catalogue().map(({ key, slug, name, registrations }) => ({ key, slug, name, registrations }));
  return (
    <Texts of={texts}>
      <SentEvents sent={sent} />
    </Texts>
  );
}
