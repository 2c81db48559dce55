import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { NotificationsPage } from "@/components/settings/notifications";
import { notificationsQuery } from "@/components/settings/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readNotifications } from "@/lib/team/notifications";

export const generateMetadata = titled("settings", "tabs.notifications");

export default async function Page({ params }: InAccount) {
  const session = await requireAccount(params);
  const { account, modes, user } = session;
  const person = { liveId: modes.live, userId: user.id };
  return (
    <Hydrated for={session} reads={[[notificationsQuery(account.id), () => readNotifications(person)]]}>
      <NotificationsPage />
    </Hydrated>
  );
}
