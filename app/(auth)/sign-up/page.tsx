import { redirect } from "next/navigation";
import { titled } from "@/app/titled";
import { SignUpForm } from "@/components/auth/sign-up-form";
import { readLastAccount } from "@/lib/auth/session";
import { localInbox } from "@/lib/users/local-inbox";

export const generateMetadata = titled("signUp", "createAccount");

export default async function SignUpPage() {
  if (await readLastAccount()) redirect("/home");
  return <SignUpForm inbox={localInbox()} />;
}
