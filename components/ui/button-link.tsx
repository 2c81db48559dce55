import { buttonLook, type Look } from "@/components/ui/button-look";
import { AccountLink, type AccountLinkProps } from "@/components/ui/link";

export function ButtonLink({ look, size, className, ...props }: AccountLinkProps & Look) {
  return <AccountLink {...props} className={buttonLook({ look, size, className })} />;
}
