import type { ReactNode } from "react";
import { EntryFrame } from "@/components/auth/frame";
import { getTranslations } from "@/lib/locale/texts";

/** The console's colour, so that nobody takes its sign-in for that of the sellers. */
export default async function StaffAuthLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations("signIn");
  const beside = (
    <aside className="grid place-items-center bg-console p-12 text-on-console max-lg:hidden">
      <p className="max-w-[420px] text-balance font-semibold text-figure tracking-[-0.02em]">{t("ofStaff")}</p>
    </aside>
  );
  return <EntryFrame beside={beside}>{children}</EntryFrame>;
}
