import { redirect } from "next/navigation";
import { titled } from "@/app/titled";
import { SignUpForm } from "@/components/auth/sign-up-form";
import { readLastAccount } from "@/lib/auth/session";
import { getTranslations } from "@/lib/i18n";

export const generateMetadata = titled("signUp", "createAccount");

export default async function SignUpPage() {
  if (await readLastAccount()) redirect("/home");
  const t = await getTranslations("signUp");
  return (
    <>
      <h1 className="mb-1 font-semibold text-title tracking-[-0.01em]">{t("signUpTitle")}</h1>
      <p className="mb-6 text-muted">{t("signUpPurpose")}</p>
      <SignUpForm />
    </>
  );
}
