"use client";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Status, type Tone } from "@/components/ui/status";
import { Time } from "@/components/ui/time";

type Props = {
  title: ReactNode;
  at: string;
  status: { tone: Tone; text: string };
  /** The text of how often it was attempted. */
  attempts: string;
  error: string | null;
  /** The status of the receiver's answer. */
  answered: number | null;
  /** When it is attempted next, and the text before that. */
  next: { text: string; at: string } | null;
  children: ReactNode;
};

/** A row of what is sent to others: what it is and what became of it; opened, the rest. */
export const SendingRow = ({ title, at, status, attempts, error, answered, next, children }: Props) => (
  <li className="border-t">
    <details className="group">
      <summary className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 py-3 transition-colors hover:bg-line/35">
        <ChevronRight aria-hidden="true" className="size-4 text-muted transition-transform group-open:rotate-90" />
        <span className="wrap-anywhere">{title}</span>
        <span className="text-caption text-muted">
          <Time at={at} real />
        </span>
        <span className="col-start-2 flex flex-wrap items-center gap-x-4 text-caption text-muted">
          <span className="text-ink">
            <Status tone={status.tone}>{status.text}</Status>
          </span>
          <span>{attempts}</span>
          {error !== null && <span className="text-bad">{error}</span>}
          {answered !== null && <span>HTTP {answered}</span>}
          {next && (
            <span>
              {next.text} <Time at={next.at} real />
            </span>
          )}
        </span>
      </summary>
      <div className="grid gap-5 pt-1 pb-6 pl-7 max-sm:pl-0">{children}</div>
    </details>
  </li>
);
