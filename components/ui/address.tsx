"use client";
import { ExternalLink } from "lucide-react";
import { buttonLook } from "@/components/ui/button-look";
import { CopyButton } from "@/components/ui/copy";

type Props = {
  url: string;
  /** The texts of its button and its link, and their longer names where a page has several addresses. */
  copy: string;
  open: string;
  copyNamed?: string;
  openNamed?: string;
};

/** An address that a person shares: it can be read, copied, and opened beside this page. */
export const Address = ({ url, copy, open, copyNamed, openNamed }: Props) => (
  <div className="flex min-w-0 flex-wrap items-center gap-x-1 gap-y-0.5">
    <code className="min-w-0 break-all pr-2 font-mono text-caption">{url}</code>
    <CopyButton text={url} label={copy} aria-label={copyNamed} className="-ml-2.5 sm:ml-0" />
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={openNamed}
      className={buttonLook({ look: "quiet", size: "small" })}
    >
      {open}
      <ExternalLink aria-hidden="true" />
    </a>
  </div>
);
