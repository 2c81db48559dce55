import { titled } from "@/app/titled";
import { InvitePage } from "@/components/splits/invite";
import { requireAccount } from "@/lib/auth/session";
import { AppError } from "@/lib/errors";
import { readByLink } from "@/lib/subscription-splits/read";

type Props = { params: Promise<{ account: string; secret: string }> };

export const generateMetadata = titled("splits", "invite.title");

/** The secret proves the e-mail, so the browser never asks for the invite by an address: the log has every address. */
export default async function Page({ params }: Props) {
  const { account } = await requireAccount(params, "splits:read");
  const { secret } = await params;
  const invite = await readByLink(account, secret).catch(isMissing);
  return <InvitePage key={account.id} secret={secret} invite={invite?.data} />;
}

function isMissing(error: unknown): undefined {
  if (error instanceof AppError && error.code === "split_not_found") return undefined;
  throw error;
}
