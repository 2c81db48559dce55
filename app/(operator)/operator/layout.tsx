import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Texts } from "@/app/texts";
import { Clock } from "@/components/clock";
import { OperatorFrame } from "@/components/operator/frame";
import { StaffScopes } from "@/components/operator/person";
import { QueryCacheProvider } from "@/components/query-cache";
import { requireStaff } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";
import { realNow } from "@/lib/time/clock";

/** What the frame and its pages need. */
const texts = ["operator", "methods", "mails", "preferences", "time", "interrupted", "proveAgain", "signIn"] as const;

export const dynamic = "force-dynamic";

export async function generateMetadata(): Promise<Metadata> {
  const name = (await getTranslations("operator"))("console");
  return { title: { default: `${name} · Repasse`, template: `%s · ${name} · Repasse` } };
}

export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const { name, email, scopes, hasSecondFactor } = await requireStaff({ withoutSecondFactor: true }); // each page asks for it
  const t = await getTranslations("operator");
  return (
    <Texts of={texts}>
      <Clock serverNow={realNow().getTime()}>
        <StaffScopes scopes={scopes}>
          <OperatorFrame person={{ name, email }} isOpen={hasSecondFactor}>
            <QueryCacheProvider shows={t("console")} email={email}>
              {children}
            </QueryCacheProvider>
          </OperatorFrame>
        </StaffScopes>
      </Clock>
    </Texts>
  );
}
