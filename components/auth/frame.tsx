import type { ReactNode } from "react";
import { OtherLanguage } from "@/components/auth/other-language";
import { Logo } from "@/components/frame/logo";

/** An entry page beside what tells where it leads. */
export const EntryFrame = ({ beside, children }: { beside: ReactNode; children: ReactNode }) => (
  <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
    <main className="flex flex-col px-6 py-6 max-sm:px-4 sm:px-10">
      <Logo />
      <div className="mx-auto grid w-full max-w-[400px] flex-1 content-center py-10">{children}</div>
      <div className="mx-auto grid w-full max-w-[400px]">
        <OtherLanguage />
      </div>
    </main>
    {beside}
  </div>
);
