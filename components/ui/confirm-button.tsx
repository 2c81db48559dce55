"use client";
import type { QueryKey } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import type { Look } from "@/components/ui/button-look";
import { lazyWindow } from "@/components/ui/lazy-window";

const Confirm = lazyWindow(() => import("@/components/ui/confirm").then((module) => module.Confirm));

type Props = Omit<ComponentProps<typeof Button>, "onClick" | "title"> & {
  /** The dialog's question, its explanation, and the text of its button. */
  title: string;
  help: ReactNode;
  action: string;
  /** How the dialog's button looks: an action that ends nothing is no danger. */
  actionLook?: Look["look"];
  act: () => Promise<unknown>;
  done: string;
  refresh: QueryKey;
  onDone?: () => void;
  /** Whether the page is left when it is done: the dialog then stays busy until it is gone. */
  leaves?: boolean;
};

/** A button for an action that cannot be undone or binds, which asks first. */
export function ConfirmButton(props: Props) {
  const { title, help, action, actionLook, act, done, refresh, onDone, leaves = false, ...button } = props;
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const write = useAction({ act, done, refresh, ...(onDone && { onDone }) });
  const confirm = () => write.mutate(undefined, { onSuccess: () => leaves || close(), onError: close });
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)} />
      {asking && (
        <Confirm
          title={title}
          action={action}
          {...(actionLook && { look: actionLook })}
          busy={write.isPending || (leaves && write.isSuccess)}
          onConfirm={confirm}
          onClose={close}
        >
          {help}
        </Confirm>
      )}
    </>
  );
}
