import Link from "next/link";
import type { ComponentProps } from "react";
import { buttonLook, type Look } from "@/components/ui/button-look";

export function ButtonLink({ look, size, className, ...props }: ComponentProps<typeof Link> & Look) {
  return <Link {...props} className={buttonLook({ look, size, className })} />;
}
