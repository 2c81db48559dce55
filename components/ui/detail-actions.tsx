"use client";
import { useRouter } from "next/navigation";
import { type ComponentProps, type ReactNode, useState } from "react";
import type { AccountPath } from "@/components/paths";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { useAccountPath } from "@/components/ui/link";

type Props = {
  /** The text of the button that opens the editor. */
  edit: string;
  editor: (onClose: () => void) => ReactNode;
  /** How the record ends, and the list that is shown then. */
  end: Omit<ComponentProps<typeof ConfirmButton>, "look" | "leaves" | "onDone"> & { list: AccountPath };
};

/** What a detail's head offers for a record: to edit it, and to end it and leave for its list. */
export function DetailActions({ edit, editor, end: { list, ...end } }: Props) {
  const router = useRouter();
  const to = useAccountPath();
  const [editing, setEditing] = useState(false);
  return (
    <div className="flex gap-2">
      <Button onClick={() => setEditing(true)}>{edit}</Button>
      <ConfirmButton {...end} look="quiet" onDone={() => router.push(to(list))} leaves />
      {editing && editor(() => setEditing(false))}
    </div>
  );
}
