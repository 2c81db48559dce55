import type { ReactNode } from "react";
import { MessagesProvider } from "@/components/messages";
import { getMessages } from "@/lib/locale/texts";
import type { Namespace } from "@/messages";

/** Sends the browser these parts of the catalogue for the pages below. A test compares them with what those pages use. */
export async function Texts({ of, children }: { of: readonly Namespace[]; children: ReactNode }) {
  return <MessagesProvider messages={await getMessages(of)}>{children}</MessagesProvider>;
}

/** A layout that adds only their texts to its pages. */
export const layoutWith = (...of: readonly Namespace[]) =>
  function Layout({ children }: { children: ReactNode }) {
    return <Texts of={of}>{children}</Texts>;
  };
