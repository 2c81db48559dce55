import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Texts } from "@/app/texts";
import { SessionProvider } from "@/components/account";
import { Clock } from "@/components/clock";
import { FoldedHeadings } from "@/components/frame/folded";
import { PaletteHost } from "@/components/frame/palette-open";
import { ReviewBand } from "@/components/frame/review-band";
import { Sidebar } from "@/components/frame/sidebar";
import { TestBand } from "@/components/frame/test-band";
import { TopBar } from "@/components/frame/top-bar";
import { QueryCacheProvider } from "@/components/query-cache";
import { mayDecide } from "@/lib/approvals/ask";
import { type InAccount, type PageSession, readPageSession, requireAccount } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";
import { businessNow } from "@/lib/time/clock";

/** What the frame needs around every page. */
const texts = ["nav", "mode", "palette", "preferences", "time", "interrupted", "proveAgain", "signIn"] as const;

/** By less than that a clock is not ahead. */
const A_MINUTE_MS = 60_000;

export const dynamic = "force-dynamic";

type Props = InAccount & { children: ReactNode };

export async function generateMetadata({ params }: InAccount): Promise<Metadata> {
  const session = await readPageSession((await params).account);
  if (!session) return missing();
  const t = await getTranslations("mode");
  const prefix = session.account.mode === "sandbox" ? `[${t("prefix")}] ` : "";
  return { title: { default: `${prefix}Repasse`, template: `${prefix}%s · Repasse` } };
}

export default async function DashboardLayout({ params, children }: Props) {
  const session = await requireAccount(params);
  const t = await getTranslations("mode");
  const nav = await getTranslations("nav");
  const { name, mode, status, clockOffsetMs } = session.account;
  return (
    <Texts of={texts}>
      <Clock serverNow={businessNow(session.account).getTime()}>
        <SessionProvider value={viewOf(session)}>
          <a
            href="#content"
            className="sr-only z-50 rounded-control bg-ink px-4 py-2 text-ground focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
          >
            {t("skip")}
          </a>
          <QueryCacheProvider shows={`${name} · ${nav(mode)}`} email={session.user.email}>
            <FoldedHeadings left={(await cookies()).get("folded")?.value.split(".") ?? []}>
              <div className="flex">
                <Sidebar />
                <div className="min-w-0 flex-1">
                  <header className="print:hidden">
                    <TopBar />
                    {status !== "approved" && <ReviewBand />}
                    {mode === "sandbox" && <TestBand isAhead={clockOffsetMs >= A_MINUTE_MS} />}
                  </header>
                  <main
                    id="content"
                    tabIndex={-1}
                    className="mx-auto max-w-[1160px] px-6 py-8 outline-none max-sm:px-4 max-sm:py-6 max-md:pb-24"
                  >
                    {children}
                  </main>
                </div>
              </div>
            </FoldedHeadings>
          </QueryCacheProvider>
          <PaletteHost />
        </SessionProvider>
      </Clock>
    </Texts>
  );
}

/** The title of every page of an account that is not the visitor's, whatever the page would be called. */
async function missing(): Promise<Metadata> {
  const title = (await getTranslations("errors"))("missingTitle");
  return { title: { default: title, template: `${title} · Repasse` } };
}

/** What the browser is given of the session. */
function viewOf({ account, modes, user, role, scopes, waiting, waitingWithdrawals }: PageSession) {
  return {
    user: { name: user.name, email: user.email, isConfirmed: user.isConfirmed },
    account: {
      ...{ id: account.id, name: account.name, mode: account.mode, status: account.status },
      reviewAskedAt: account.reviewAskedAt?.toISOString() ?? null,
    },
    modes,
    role,
    fee: account.fees.pix,
    scopes,
    features: account.features,
    waiting: waiting.filter((kind) => mayDecide(kind, role)).length,
    waitingWithdrawals: scopes.includes("withdrawals:write") ? waitingWithdrawals : 0,
  };
}
