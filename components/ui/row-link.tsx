"use client";
import { useState } from "react";
import { AccountLink, type AccountLinkProps } from "@/components/ui/link";

/** A link that a list has many of: its page is prefetched when someone is about to open it, not for every row. */
export function RowLink(props: AccountLinkProps) {
  const [wanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  return (
    <AccountLink {...props} prefetch={wanted ? null : false} onPointerEnter={want} onTouchStart={want} onFocus={want} />
  );
}
