import { notFound } from "next/navigation";
import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { MailPage } from "@/components/operator/mail";
import { mailQuery } from "@/components/operator/mail-queries";
import { requireStaff } from "@/lib/auth/session";
import { isId } from "@/lib/ids";
import { readMail } from "@/lib/mail/read";

export const generateMetadata = titled("mails", "one");

export default async function OperatorMailPage({ params }: { params: Promise<{ id: string }> }) {
  const { id: userId } = await requireStaff();
  const { id } = await params;
  if (!isId(id)) notFound();
  return (
    <Hydrated reads={[[mailQuery(id), async () => ({ data: await readMail(id, { userId }) })]]}>
      <MailPage id={id} />
    </Hydrated>
  );
}
