import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useDates } from "@/components/format";

/** What happened, the newest first; its children are `Happening`s. */
export const Timeline = ({ children }: { children: ReactNode }) => <ol className="grid">{children}</ol>;

/** A time on the account's clock, and apart from it the real one where that differs. */
export function OnClocks({ at, real_at }: { at: string | null; real_at: string | null }) {
  const t = useTranslations("timeline");
  const { full } = useDates();
  return (
    <>
      {at && (
        <time dateTime={at} className="block">
          {full(at, true)}
        </time>
      )}
      {real_at && <span>{t.rich("real", { time: () => <time dateTime={real_at}>{full(real_at)}</time> })}</span>}
    </>
  );
}

type Props = {
  icon: LucideIcon;
  title: ReactNode;
  /** What is known beside it, if anything is. */
  note: ReactNode;
  /** Its time, or times. */
  when: ReactNode;
  failed?: boolean;
};

/** One thing that happened, on the line that joins it to the next. */
export function Happening({ icon: Icon, title, note, when, failed = false }: Props) {
  return (
    <li className="relative grid grid-cols-[24px_minmax(0,1fr)] gap-3 pb-5 before:absolute before:top-6 before:bottom-0 before:left-3 before:w-px before:bg-line last:pb-0 last:before:hidden">
      <Icon
        aria-hidden="true"
        className={clsx("mt-0.5 size-[18px] justify-self-center bg-ground", failed ? "text-bad" : "text-muted")}
        strokeWidth={1.75}
      />
      <div className="grid min-w-0 gap-x-4 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid min-w-0">
          <p className="wrap-anywhere font-medium">{title}</p>
          {note && <p className={clsx("wrap-anywhere text-caption", failed ? "text-bad" : "text-muted")}>{note}</p>}
        </div>
        <div className="text-caption text-muted sm:text-right">{when}</div>
      </div>
    </li>
  );
}
