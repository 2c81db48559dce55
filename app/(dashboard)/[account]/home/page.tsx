import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Home } from "@/components/overview/home";
import { overviewQuery } from "@/components/overview/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readOverview } from "@/lib/dashboard/overview";

export const generateMetadata = titled("home", "title");

export default async function HomePage({ params }: InAccount) {
  const session = await requireAccount(params, "balance:read");
  const { account } = session;
  return (
    <Hydrated for={session} reads={[[overviewQuery(account.id), async () => ({ data: await readOverview(account) })]]}>
      <Home />
    </Hydrated>
  );
}
