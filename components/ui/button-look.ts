import { clsx } from "clsx";

const base =
  "inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-control font-medium " +
  "transition-colors duration-150 ease-out disabled:cursor-not-allowed disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0";

const looks = {
  primary: "bg-accent text-on-accent enabled:hover:bg-accent/88 [a&]:hover:bg-accent/88",
  secondary: "border border-muted/70 bg-surface text-ink enabled:hover:border-ink [a&]:hover:border-ink",
  quiet: "text-ink enabled:hover:bg-line/60 [a&]:hover:bg-line/60",
  danger: "border border-bad bg-surface text-bad enabled:hover:bg-bad/10",
};

const sizes = {
  normal: "h-9 px-3.5 max-sm:h-11 max-sm:px-4",
  small: "h-8 px-2.5 text-caption",
  large: "h-11 px-5 text-prose",
  icon: "size-8",
};

export type Look = { look?: keyof typeof looks; size?: keyof typeof sizes; className?: string | undefined };

/** The classes of a button, also for links that look like one. */
export const buttonLook = ({ look = "secondary", size = "normal", className }: Look) =>
  clsx(base, looks[look], sizes[size], className);
