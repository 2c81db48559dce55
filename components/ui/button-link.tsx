import { AccountLink, type AccountLinkProps } from "@/components/frame/link";
import { buttonLook, type Look } from "@/components/ui/button-look";

export function ButtonLink({ look, size, className, ...props }: AccountLinkProps & Look) {
  return <AccountLink {...props} className={buttonLook({ look, size, className })} />;
}
