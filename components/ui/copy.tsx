"use client";
import { clsx } from "clsx";
import { Check, Copy } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";

type Props = Omit<ComponentProps<typeof Button>, "children"> & { text: string; label?: string; iconOnly?: boolean };

/** A button that copies, shows a check for a moment, and announces it to screen readers. */
export function CopyButton({ text, label, iconOnly = false, className, ...props }: Props) {
  const t = useTranslations("common");
  const [copied, setCopied] = useState(false);
  const name = label ?? t("copy");
  async function copy() {
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (!done) return toast(t("copyFailed"), "bad");
    setCopied(true);
    toast(t("copied"));
    setTimeout(() => setCopied(false), 2_000);
  }
  const Icon = copied ? Check : Copy;
  return (
    <Button
      look="quiet"
      size={iconOnly ? "icon" : "small"}
      {...props}
      className={clsx(iconOnly && "text-muted hover:text-ink", className)}
      onClick={copy}
      aria-label={iconOnly ? name : props["aria-label"]}
      title={iconOnly ? name : undefined}
    >
      <Icon aria-hidden="true" />
      {!iconOnly && name}
    </Button>
  );
}

/** An id or code in the monospaced font, with its copy button. */
export function Copyable({ text, shown, label }: { text: string; shown?: string; label?: string | undefined }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="truncate font-mono text-caption">{shown ?? text}</code>
      <CopyButton text={text} iconOnly {...(label && { label })} className="-my-1.5 size-7" />
    </span>
  );
}
