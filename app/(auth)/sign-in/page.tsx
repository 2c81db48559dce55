import { redirect } from "next/navigation";
import { titled } from "@/app/titled";
import { pathOfOurs } from "@/components/auth/path-of-ours";
import { SignInForm } from "@/components/auth/sign-in-form";
import { readLastAccount } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export const generateMetadata = titled("signIn", "signIn");

export default async function SignInPage({ searchParams }: Props) {
  if (await readLastAccount()) redirect(pathOfOurs((await searchParams).next));
  const t = await getTranslations("signIn");
  return (
    <>
      <h1 className="mb-6 font-semibold text-title tracking-[-0.01em]">{t("signInTitle")}</h1>
      <SignInForm />
    </>
  );
}
