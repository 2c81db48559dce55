"use client";
import { clsx } from "clsx";
import {
  Activity,
  ArrowUpFromLine,
  Ban,
  Banknote,
  Building2,
  CalendarClock,
  CircleHelp,
  Diff,
  Hourglass,
  IdCard,
  Inbox,
  ListChecks,
  type LucideIcon,
  Mail,
  MessageCircleQuestion,
  OctagonPause,
  Scale,
  ShieldAlert,
  ShieldCheck,
  Undo2,
  Users,
} from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import type { MouseEvent } from "react";
import { useTranslations } from "use-intl";
import { PageLink } from "@/components/ui/page-link";

type Item = { name: Name; href: string; Icon: LucideIcon };
type Name =
  | "queue"
  | "waiting"
  | "profileRequests"
  | "refunds"
  | "disputes"
  | "waitingWithdrawals"
  | "unmatched"
  | "accounts"
  | "revenue"
  | "payouts"
  | "reconcile"
  | "differences"
  | "providersHealth"
  | "unanswered"
  | "refused"
  | "jobs"
  | "mails"
  | "audit"
  | "retention"
  | "staff";

/** The console's pages: what waits for somebody first, and each other part under its own word. */
const sections: readonly { heading?: "queue" | "money" | "providers"; items: readonly Item[] }[] = [
  {
    heading: "queue",
    items: [
      { name: "queue", href: "/operator/queue", Icon: Inbox },
      { name: "waiting", href: "/operator/accounts?status=pending", Icon: Hourglass },
      { name: "profileRequests", href: "/operator/profile-requests", Icon: IdCard },
      { name: "refunds", href: "/operator/refunds", Icon: Undo2 },
      { name: "disputes", href: "/operator/disputes", Icon: ShieldAlert },
      { name: "waitingWithdrawals", href: "/operator/withdrawals", Icon: ArrowUpFromLine },
      { name: "unmatched", href: "/operator/unmatched", Icon: CircleHelp },
    ],
  },
  { items: [{ name: "accounts", href: "/operator/accounts", Icon: Building2 }] },
  {
    heading: "money",
    items: [
      { name: "revenue", href: "/operator/revenue", Icon: Banknote },
      { name: "reconcile", href: "/operator/reconcile", Icon: Scale },
      { name: "differences", href: "/operator/differences", Icon: Diff },
      { name: "payouts", href: "/operator/payouts", Icon: OctagonPause },
    ],
  },
  {
    heading: "providers",
    items: [
      { name: "providersHealth", href: "/operator/providers", Icon: Activity },
      { name: "unanswered", href: "/operator/unanswered", Icon: MessageCircleQuestion },
      { name: "refused", href: "/operator/refused", Icon: Ban },
    ],
  },
  {
    items: [
      { name: "jobs", href: "/operator/jobs", Icon: ListChecks },
      { name: "mails", href: "/operator/mails", Icon: Mail },
      { name: "audit", href: "/operator/audit", Icon: ShieldCheck },
      { name: "retention", href: "/operator/retention", Icon: CalendarClock },
      { name: "staff", href: "/operator/staff", Icon: Users },
    ],
  },
];

/** The item of the page that is shown; a seller's sales belong to its account. */
function useHere(): string | undefined {
  const path = usePathname();
  const isWaiting = useSearchParams().get("status") === "pending";
  if (path === "/operator/accounts" && isWaiting) return "waiting";
  const items = sections.flatMap(({ items }) => items);
  return items.find(({ name, href }) => name !== "waiting" && path.startsWith(href))?.name;
}

/** On a phone the menu lies over the page that a link leads to. */
const closeMenu = ({ currentTarget }: MouseEvent<HTMLElement>) =>
  currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();

export function OperatorNav() {
  const t = useTranslations("operator");
  const here = useHere();
  return (
    <nav aria-label={t("menu")} className="grid gap-3">
      {sections.map(({ heading, items }) => (
        <div key={heading ?? items[0]?.name} className="grid gap-0.5">
          {heading && <p className="px-3 py-1 text-caption text-on-console/75">{t(`headings.${heading}`)}</p>}
          <ul className="grid gap-0.5">
            {items.map(({ name, href, Icon }) => (
              <li key={name}>
                <PageLink
                  href={href}
                  onClick={closeMenu}
                  aria-current={name === here ? "page" : undefined}
                  className={clsx(
                    "flex h-9 items-center gap-3 rounded-control px-3 max-lg:h-11",
                    name === here ? "bg-on-console/15 font-semibold" : "hover:bg-on-console/15",
                  )}
                >
                  <Icon aria-hidden="true" className="size-[18px] shrink-0" strokeWidth={1.75} />
                  {t(name)}
                </PageLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
