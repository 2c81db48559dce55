"use client";
import { ArrowLeft } from "lucide-react";
import { PageLink } from "@/components/ui/page-link";

/** The way back from a record of the console to what it belongs to. */
export const Back = ({ href, children }: { href: string; children: string }) => (
  <PageLink href={href} className="mb-5 inline-flex items-center gap-2 text-muted hover:text-ink">
    <ArrowLeft aria-hidden="true" className="size-4" />
    {children}
  </PageLink>
);
