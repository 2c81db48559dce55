"use client";
import { useEffect, useState } from "react";
import { lazyWindow } from "@/components/ui/lazy-window";

const Palette = lazyWindow(() => import("@/components/frame/palette").then(({ Palette }) => Palette));

const OPEN = "repasse:palette";

export const openPalette = () => window.dispatchEvent(new Event(OPEN));

/** Listens for Ctrl/Cmd+K and `?`. The palette itself is downloaded when it is first opened. */
export function PaletteHost() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const show = () => setOpen(true);
    const onKey = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement).closest?.("input, textarea, select, [contenteditable]");
      const asked =
        (event.key?.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) || (event.key === "?" && !typing);
      if (!asked) return;
      event.preventDefault();
      show();
    };
    window.addEventListener(OPEN, show);
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener(OPEN, show);
      window.removeEventListener("keydown", onKey);
    };
  }, []);
  return open ? <Palette onClose={() => setOpen(false)} /> : null;
}
