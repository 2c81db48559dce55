import { notFound } from "next/navigation";
import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { ClockPage } from "@/components/clock-page/clock";
import { clockQuery } from "@/components/clock-page/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readClock } from "@/lib/sandbox/advance";

export const generateMetadata = titled("clock", "title");

export default async function SandboxClockPage({ params }: InAccount) {
  const session = await requireAccount(params, "transactions:read");
  const { account } = session;
  if (account.mode !== "sandbox") notFound();
  return (
    <Hydrated for={session} reads={[[clockQuery(account.id), () => readClock(account)]]}>
      <ClockPage />
    </Hydrated>
  );
}
