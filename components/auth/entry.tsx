"use client";
import { type ReactNode, useEffect, useRef } from "react";
import { keepEmail } from "@/components/auth/kept-email";

/**
 * Title and purpose of an entry page. `isNext` is for what took the place of a form: its title has the focus, so that it is
 * read aloud.
 */
export function EntryHead({
  title,
  isNext = false,
  children,
}: {
  title: string;
  isNext?: boolean;
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNext) heading.current?.focus();
  }, [isNext]);
  return (
    <div className="mb-6 grid gap-1">
      <h1
        ref={heading}
        tabIndex={isNext ? -1 : undefined}
        className="font-semibold text-title tracking-[-0.01em] outline-none"
      >
        {title}
      </h1>
      {children}
    </div>
  );
}

type LinkProps = { href: string; email?: () => string; children: string };

/** A link to another entry page, which then has the e-mail that was typed here. */
export function EntryLink({ href, email, children }: LinkProps) {
  return (
    <a
      href={href}
      onClick={() => email && keepEmail(email())}
      className="font-medium text-accent underline underline-offset-4"
    >
      {children}
    </a>
  );
}
