"use client";
import { useState } from "react";
import { AccountLink, type AccountLinkProps } from "@/components/ui/link";

/** A link in a row of a list. Its page is prefetched only when someone points at it, not for every row. */
export function RowLink(props: AccountLinkProps) {
  const [wanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  return (
    <AccountLink {...props} prefetch={wanted ? null : false} onPointerEnter={want} onTouchStart={want} onFocus={want} />
  );
}
