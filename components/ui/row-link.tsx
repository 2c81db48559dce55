"use client";
import Link from "next/link";
import { type ComponentProps, useState } from "react";

/** A link that a list has many of: its page is prefetched when someone is about to open it, not for every row. */
export function RowLink(props: ComponentProps<typeof Link>) {
  const [wanted, setWanted] = useState(false);
  const want = () => setWanted(true);
  return <Link {...props} prefetch={wanted ? null : false} onPointerEnter={want} onTouchStart={want} onFocus={want} />;
}
