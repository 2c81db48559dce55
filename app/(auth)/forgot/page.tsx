import { titled } from "@/app/titled";
import { ForgotForm } from "@/components/auth/forgot-form";
import { localInbox } from "@/lib/users/local-inbox";

export const generateMetadata = titled("forgot", "title");

export default async function ForgotPage() {
  return <ForgotForm inbox={localInbox()} />;
}
