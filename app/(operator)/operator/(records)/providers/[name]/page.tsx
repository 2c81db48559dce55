import { found, Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { ProviderPage } from "@/components/operator/provider";
import { providerQuery } from "@/components/operator/provider-queries";
import { healthQuery } from "@/components/operator/report-queries";
import { requireStaff } from "@/lib/auth/session";
import { readRails } from "@/lib/providers/health";
import { readProvider } from "@/lib/providers/read";

const texts = ["providers"] as const;

export const generateMetadata = titled("providers", "one");

export default async function Page({ params }: { params: Promise<{ name: string }> }) {
  const person = await requireStaff();
  const { name } = await params;
  const provider = await found(readProvider(name));
  const period = "hour" as const;
  return (
    <Texts of={texts}>
      <Hydrated
        for={person}
        reads={[
          [providerQuery(name), async () => provider],
          [healthQuery({ period }), () => readRails({ period })],
        ]}
      >
        <ProviderPage name={name} />
      </Hydrated>
    </Texts>
  );
}
