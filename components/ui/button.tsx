import type { ComponentProps } from "react";
import { buttonLook, type Look } from "@/components/ui/button-look";

export function Button({
  look,
  size,
  busy = false,
  className,
  ...props
}: ComponentProps<"button"> & Look & { busy?: boolean }) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      {...props}
      disabled={busy || props.disabled}
      className={buttonLook({ look, size, className })}
    />
  );
}
