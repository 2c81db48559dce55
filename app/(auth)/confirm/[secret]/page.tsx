import { titled } from "@/app/titled";
import { ConfirmForm } from "@/components/auth/confirm-form";
import { readLastAccount, readPageSession } from "@/lib/auth/session";
import { confirmsAddressOf } from "@/lib/users/confirm";

type Props = { params: Promise<{ secret: string }> };

export const generateMetadata = titled("confirm", "title");

export default async function ConfirmPage({ params }: Props) {
  const account = await readLastAccount();
  const session = account && (await readPageSession(account));
  const isOwn = session && (await confirmsAddressOf(session.user.email, (await params).secret));
  return <ConfirmForm account={isOwn ? session.account.id : null} />;
}
