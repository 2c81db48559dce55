import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** What happened, one thing below the other; its children are `Happening`s. */
export const Timeline = ({ children }: { children: ReactNode }) => <ol className="grid">{children}</ol>;

type Props = {
  icon: LucideIcon;
  title: ReactNode;
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
          <p className={clsx("wrap-anywhere text-caption", failed ? "text-bad" : "text-muted")}>{note}</p>
        </div>
        <div className="text-caption text-muted sm:text-right">{when}</div>
      </div>
    </li>
  );
}
