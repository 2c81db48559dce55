import { redirect } from "next/navigation";
import { titled } from "@/app/titled";
import { SignInForm } from "@/components/auth/sign-in-form";
import { CONSOLE, readStaff } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";

export const generateMetadata = titled("signIn", "signInConsole");

export default async function ConsoleSignInPage() {
  if (await readStaff()) redirect(CONSOLE);
  const t = await getTranslations("signIn");
  return (
    <>
      <h1 className="mb-6 font-semibold text-title tracking-[-0.01em]">{t("signInConsole")}</h1>
      <SignInForm isConsole />
    </>
  );
}
