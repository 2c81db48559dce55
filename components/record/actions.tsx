"use client";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";

export type RecordAction = { label: string; act: () => void; busy?: boolean };

type Props = {
  /** What the record's page is most likely opened for, as a primary button. */
  primary?: ReactNode;
  /** All else that is allowed now, the most likely first. */
  actions: readonly RecordAction[];
  /** The windows that the actions open. */
  children?: ReactNode;
};

/** What may be done with a record: one button and, from two others on, a menu of the rest. */
export function RecordActions({ primary, actions, children }: Props) {
  const [first, ...others] = actions;
  const rest = primary ? actions : others;
  return (
    <div className="flex flex-wrap gap-2">
      {primary ?? (first && <ActionButton action={first} />)}
      {rest.length > 1 ? (
        <Menu actions={rest} />
      ) : (
        rest.map((one) => <ActionButton key={one.label} action={one} quiet />)
      )}
      {children}
    </div>
  );
}

const ActionButton = ({ action: { label, act, busy }, quiet }: { action: RecordAction; quiet?: boolean }) => (
  <Button {...(quiet && { look: "quiet" as const })} {...(busy && { busy })} onClick={act}>
    {label}
  </Button>
);

/** The platform's own popover closes by itself, and returns the focus to its button, from where a window opens. */
function Menu({ actions }: { actions: readonly RecordAction[] }) {
  const t = useTranslations("common");
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const running = actions.find(({ busy }) => busy);
  return (
    <>
      <Button look="quiet" busy={running !== undefined} popoverTarget={id} aria-haspopup="true">
        <Ellipsis aria-hidden="true" />
        {running?.label ?? t("moreActions")}
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="beside-opener m-0 mt-1 w-max min-w-44 open:grid rounded-card border bg-surface p-1 text-ink shadow-float"
      >
        {actions.map(({ label, act }) => (
          <Button
            key={label}
            look="quiet"
            className="w-full justify-start"
            onClick={() => {
              menu.current?.hidePopover();
              act();
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </>
  );
}
