"use client";
import { createContext, type ReactNode, useContext, useState } from "react";
import { remember } from "@/components/frame/remember";

type Headings = readonly string[];

const Folded = createContext<readonly [Headings, (headings: Headings) => void] | null>(null);

/** Keeps which headings of the menu are folded, for the sidebar and the sheet alike. */
export function FoldedHeadings({ left, children }: { left: Headings; children: ReactNode }) {
  const folded = useState(left);
  return <Folded.Provider value={folded}>{children}</Folded.Provider>;
}

/** The folded headings, and what folds or unfolds one. */
export function useFolded() {
  const state = useContext(Folded);
  if (!state) throw new Error("useFolded outside of the dashboard");
  const [folded, setFolded] = state;
  function fold(heading: string) {
    const now = folded.includes(heading) ? folded.filter((one) => one !== heading) : [...folded, heading];
    remember("folded", now.join("."));
    setFolded(now);
  }
  return { folded, fold };
}
