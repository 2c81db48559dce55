import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInForm } from "@/components/auth/sign-in-form";
import { CONSOLE, readLastAccount, readStaff } from "@/lib/auth/session";
import { getTranslations } from "@/lib/i18n";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("auth"))("signIn") };
}

export default async function SignInPage({ searchParams }: Props) {
  const { next, created } = await searchParams;
  const target = safePath(next);
  if (await readLastAccount()) redirect(target);
  if (await readStaff()) redirect(CONSOLE);
  const t = await getTranslations("auth");
  return (
    <>
      <h1 className="mb-6 font-semibold text-title tracking-[-0.01em]">{t("signInTitle")}</h1>
      <SignInForm next={target} notice={created ? t("created") : undefined} />
    </>
  );
}

/** A path of our own and nothing else, so that a link to sign in cannot lead away. */
const safePath = (next: unknown) =>
  typeof next === "string" && /^\/(?![/\\])[\x20-\x7e]*$/.test(next) ? next : "/home";
