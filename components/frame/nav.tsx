"use client";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import {
  Activity,
  ArrowUpFromLine,
  BellRing,
  ChartNoAxesColumn,
  ChevronDown,
  CreditCard,
  House,
  Inbox,
  KeyRound,
  Link2,
  Lock,
  type LucideIcon,
  Package,
  QrCode,
  Receipt,
  Repeat,
  ScrollText,
  Send,
  Settings,
  ShieldAlert,
  Undo2,
  Users,
  Webhook,
} from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { approvalsQuery } from "@/components/approvals/query";
import { useFolded } from "@/components/frame/folded";
import type { AccountPath } from "@/components/paths";
import { AccountLink } from "@/components/ui/link";
import type { Feature } from "@/lib/accounts/schema";
import type { Scope } from "@/lib/auth/scopes";

type Section = "sales" | "subscriptions" | "splits" | "money" | "developers";

type Item = {
  href: AccountPath;
  key:
    | "home"
    | "transactions"
    | "charge"
    | "paymentLinks"
    | "refunds"
    | "disputes"
    | "catalogue"
    | "allSubscriptions"
    | "overdue"
    | "subscribers"
    | "received"
    | "sent"
    | "earnings"
    | "statement"
    | "withdrawals"
    | "credentials"
    | "publicKey"
    | "webhooks"
    | "events"
    | "settings";
  icon: LucideIcon;
  scope: Scope;
  feature?: Feature;
  /** Under which heading it stands. */
  section?: Section;
};

const [ofSales, ofSplits] = [{ section: "sales" }, { section: "splits", scope: "splits:read" }] as const;
const recurring = { scope: "subscriptions:read", feature: "recurring", section: "subscriptions" } as const;
const ofDevelopers = { section: "developers" } as const;

/** The links to every page, in the order of the menu. */
const items: readonly Item[] = [
  { href: "/home", key: "home", icon: House, scope: "balance:read" },
  { href: "/transactions", key: "transactions", icon: Receipt, scope: "transactions:read", ...ofSales },
  { href: "/charges/new", key: "charge", icon: QrCode, scope: "transactions:write", ...ofSales },
  { href: "/payment-links", key: "paymentLinks", icon: Link2, scope: "transactions:read", ...ofSales },
  { href: "/refunds", key: "refunds", icon: Undo2, scope: "refunds:read", feature: "refunds", ...ofSales },
  { href: "/disputes", key: "disputes", icon: ShieldAlert, scope: "disputes:read", ...ofSales },
  { href: "/products", key: "catalogue", icon: Package, scope: "plans:read", feature: "recurring" },
  { href: "/subscriptions", key: "allSubscriptions", icon: Repeat, ...recurring },
  { href: "/subscriptions/overdue", key: "overdue", icon: BellRing, ...recurring },
  { href: "/subscribers", key: "subscribers", icon: Users, ...recurring },
  { href: "/splits", key: "received", icon: Inbox, ...ofSplits },
  { href: "/splits/sent", key: "sent", icon: Send, feature: "recurring", ...ofSplits },
  { href: "/splits/earnings", key: "earnings", icon: ChartNoAxesColumn, ...ofSplits },
  { href: "/statement", key: "statement", icon: ScrollText, scope: "balance:read", section: "money" },
  {
    ...{ href: "/withdrawals", key: "withdrawals", icon: ArrowUpFromLine, scope: "withdrawals:read" },
    ...{ feature: "cash_out", section: "money" },
  },
  { href: "/credentials", key: "credentials", icon: KeyRound, scope: "credentials:read", ...ofDevelopers },
  { href: "/public-key", key: "publicKey", icon: CreditCard, scope: "cards:read", ...ofDevelopers },
  { href: "/webhooks", key: "webhooks", icon: Webhook, scope: "webhooks:read", ...ofDevelopers },
  { href: "/events", key: "events", icon: Activity, scope: "webhooks:read", ...ofDevelopers },
  { href: "/settings", key: "settings", icon: Settings, scope: "profile:read" },
];

/** The links to the pages that this person may open, for the palette and a phone's bar. */
export function useItems(): readonly Item[] {
  const { features } = useSession();
  return useShown().filter(({ feature }) => !feature || features.includes(feature));
}

/** The same with those of features that the account does not have: the menu says how to get them. */
function useShown(): readonly Item[] {
  const { scopes } = useSession();
  return items.filter(({ scope }) => scopes.includes(scope));
}

/** The items of pages whose addresses begin otherwise. */
const elsewhere: Readonly<Record<string, Item["key"]>> = {
  charges: "transactions",
  invite: "received",
  audit: "settings",
  privacy: "settings",
};

/** The item of the page that is shown: the one with the longest address that the page's own begins with. */
export function useHere(): Item["key"] | undefined {
  const [, , ...parts] = usePathname().split("/");
  const path = `/${parts.join("/")}/`;
  const [here] = items.filter(({ href }) => path.startsWith(`${href}/`)).sort((a, b) => b.href.length - a.href.length);
  return here?.key ?? elsewhere[parts[0] ?? ""];
}

/** What stands together in the menu: the items of a heading, or one alone. */
function groupsOf(shown: readonly Item[]): { section: Section | undefined; part: readonly Item[] }[] {
  const sections = [...new Set(shown.map(({ section, key }) => section ?? key))];
  return sections.map((name) => {
    const part = shown.filter(({ section, key }) => (section ?? key) === name);
    return { section: part[0]?.section, part };
  });
}

/** The sidebar's links, under headings that fold and stay as they were left. */
export function Nav({ onNavigate }: { onNavigate?: () => void }) {
  const t = useTranslations("nav");
  const { features } = useSession();
  const { folded, fold } = useFolded();
  const here = useHere();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    if (here) nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest" });
  }, [here]);
  const isOff = ({ feature }: Item) => feature !== undefined && !features.includes(feature);
  const entry = (item: Item) => (
    <li key={item.key}>
      {item.feature && isOff(item) ? (
        <OffItem name={t(item.key)} icon={item.icon} feature={item.feature} />
      ) : (
        <NavLink item={item} here={item.key === here} onNavigate={onNavigate} />
      )}
    </li>
  );
  return (
    <nav ref={nav} aria-label={t("label")} className="grid gap-3">
      {groupsOf(useShown()).map(({ section, part }) => {
        const [first] = part;
        if (!section) return <ul key={first?.key}>{part.map(entry)}</ul>;
        // What a feature brings as a whole is off as a whole.
        if (first?.feature && part.every(isOff)) {
          return <OffItem key={section} name={t(section)} icon={first.icon} feature={first.feature} />;
        }
        const isFolded = folded.includes(section);
        return (
          <div key={section} className="grid gap-0.5">
            <button
              type="button"
              aria-expanded={!isFolded}
              onClick={() => fold(section)}
              className="flex h-7 items-center justify-between rounded-control px-3 text-caption text-muted hover:bg-line/50 hover:text-ink"
            >
              {t(section)}
              <ChevronDown
                aria-hidden="true"
                className={clsx("size-3.5 transition-transform", isFolded && "-rotate-90")}
              />
            </button>
            {/* The page that is shown stays in the menu. */}
            <ul className="grid gap-0.5">{part.filter(({ key }) => !isFolded || key === here).map(entry)}</ul>
          </div>
        );
      })}
    </nav>
  );
}

/** A page of a feature that the account does not have; opened, it says how to get it. */
function OffItem({ name, icon: Icon, feature }: { name: string; icon: LucideIcon; feature: Feature }) {
  const t = useTranslations("nav");
  const { account, modes } = useSession();
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        title={t("offNamed", { name })}
        className="flex h-9 w-full items-center gap-3 rounded-control px-3 text-left text-muted hover:bg-line/50"
      >
        <Icon aria-hidden="true" className="size-[18px] shrink-0 opacity-55" strokeWidth={1.75} />
        <span className="flex-1">{name}</span>
        <Lock aria-hidden="true" className="size-3.5 shrink-0" />
        <span className="sr-only">{t("off")}</span>
      </button>
      <div
        id={id}
        popover="auto"
        className="enter fixed inset-auto top-24 left-3 m-0 w-[min(320px,calc(100vw-24px))] rounded-card border bg-surface p-4 text-ink shadow-float lg:left-[240px]"
      >
        <p className="mb-1 font-semibold">{t("offTitle", { name })}</p>
        <p className="text-muted">{t(`howToGet.${feature}`)}</p>
        {account.mode === "live" && (
          <a
            href={`/${modes.sandbox}/home`}
            className="mt-3 inline-block font-medium text-accent underline underline-offset-4"
          >
            {t("tryInSandbox")}
          </a>
        )}
      </div>
    </>
  );
}

type LinkProps = { item: Item; here: boolean; onNavigate: (() => void) | undefined };

function NavLink({ item: { href, key, icon: Icon }, here, onNavigate }: LinkProps) {
  const t = useTranslations("nav");
  return (
    <AccountLink
      href={href}
      {...(onNavigate && { onClick: onNavigate })}
      aria-current={here ? "page" : undefined}
      className={clsx(
        "relative flex h-9 items-center gap-3 rounded-control px-3 transition-colors duration-150 max-lg:h-11",
        "before:absolute before:inset-y-2 before:-left-3 before:w-0.5 before:rounded-full",
        here ? "font-semibold before:bg-accent" : "text-muted hover:bg-line/50 hover:text-ink",
      )}
    >
      <Icon aria-hidden="true" className={clsx("size-[18px] shrink-0", here && "text-accent")} strokeWidth={1.75} />
      {t(key)}
      {key === "settings" && <Waiting />}
      {key === "withdrawals" && <WaitingWithdrawals />}
    </AccountLink>
  );
}

/** How much waits for this person's decision, where anything does. */
function Waiting() {
  const { account, waiting } = useSession();
  // Only the page of what waits reads it; until it was open, what the document was made with counts.
  const { data } = useQuery({ ...approvalsQuery(account.id), enabled: false });
  const count = data ? data.data.filter(({ may_decide }) => may_decide).length : waiting;
  return <Count of={count} />;
}

/** Those that waited when the document was made. */
const WaitingWithdrawals = () => <Count of={useSession().waitingWithdrawals} />;

function Count({ of: count }: { of: number }) {
  const t = useTranslations("nav");
  if (count === 0) return null;
  return (
    <span className="ml-auto min-w-5 rounded-full bg-accent px-1.5 text-center font-semibold text-caption text-on-accent tabular-nums">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{t("waiting", { count })}</span>
    </span>
  );
}
