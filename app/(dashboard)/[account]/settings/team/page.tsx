import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { teamQuery } from "@/components/team/query";
import { TeamPage } from "@/components/team/team";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readTeam } from "@/lib/team/read";

export const generateMetadata = titled("settings", "tabs.team");

export default async function Page({ params }: InAccount) {
  const session = await requireAccount(params, "team:read");
  const { account, modes, user } = session;
  return (
    <Hydrated for={session} reads={[[teamQuery(account.id), () => readTeam({ liveId: modes.live, userId: user.id })]]}>
      <TeamPage />
    </Hydrated>
  );
}
