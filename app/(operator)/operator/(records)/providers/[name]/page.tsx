import { found, Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { ProviderPage } from "@/components/operator/provider";
import { providerQuery } from "@/components/operator/provider-queries";
import { healthQuery } from "@/components/operator/report-queries";
import { timelineQuery } from "@/components/timeline/query";
import { requireStaff } from "@/lib/auth/session";
import { readRails } from "@/lib/providers/health";
import { readProvider } from "@/lib/providers/read";
import { readTimelineForStaff } from "@/lib/timeline/read";

const texts = ["providers", "timeline", "deliveries", "card"] as const;

export const generateMetadata = titled("providers", "one");

export default async function Page({ params }: { params: Promise<{ name: string }> }) {
  const person = await requireStaff();
  const { name } = await params;
  const provider = await found(readProvider(name));
  const { id } = provider.data;
  const period = "hour" as const;
  return (
    <Texts of={texts}>
      <Hydrated
        for={person}
        reads={[
          [providerQuery(name), async () => provider],
          [healthQuery({ period }), () => readRails({ period })],
          [timelineQuery(null, { subject: "provider", id }), () => readTimelineForStaff("provider", id)],
        ]}
      >
        <ProviderPage name={name} />
      </Hydrated>
    </Texts>
  );
}
