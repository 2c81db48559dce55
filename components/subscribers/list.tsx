"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { documentNumber, phoneNumber } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { Row, Rows } from "@/components/list/row";
import { useList } from "@/components/list/use-list";
import { subscriptionPath } from "@/components/subscriptions/queries";
import { SubscriptionStatusWord } from "@/components/subscriptions/status";
import { AccountLink } from "@/components/ui/link";
import type { Subscriber, SubscriberPage, SubscriberQuery } from "@/lib/subscriptions/schema";

/** People across plans, each with their latest subscriptions. */
export function Subscribers({ source, curl }: ListProps<SubscriberPage, keyof SubscriberQuery>) {
  const t = useTranslations("subscribers");
  return (
    <List
      {...useList(source, useApi().account)}
      title={t("title")}
      purpose={t("purpose")}
      add={{ label: t("sell"), href: "/products" }}
      search={{ label: t("search"), hint: t("searchHint") }}
      empty={t("empty")}
      nothing={t("nothing")}
      curl={curl}
      rows={4}
      shown={t}
    >
      {(rows) => (
        <Rows>
          {rows.map((person) => (
            <Person key={person.id} person={person} />
          ))}
        </Rows>
      )}
    </List>
  );
}

function Person({ person }: { person: Subscriber }) {
  const { name, email, document, phone } = person;
  return (
    <Row
      title={name}
      note={
        <>
          <p className="wrap-anywhere">{email}</p>
          <p className="tabular-nums">
            {documentNumber(document)}
            {phone && <span className="whitespace-nowrap"> · {phoneNumber(phone)}</span>}
          </p>
        </>
      }
      end={<TheirSubscriptions person={person} />}
    />
  );
}

const link = "min-w-0 truncate underline decoration-line underline-offset-4 hover:decoration-current";

function TheirSubscriptions({ person }: { person: Subscriber }) {
  const t = useTranslations("subscribers");
  const { name, email, subscriptions, subscriptions_count: count } = person;
  const more = count - subscriptions.length;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1.5 md:w-[26rem]">
      <ul aria-label={t("of", { name })} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {subscriptions.map(({ token, plan, ...standing }) => (
          <li key={token} className="flex min-w-0 items-center justify-between gap-4">
            <AccountLink href={subscriptionPath(token)} className={link}>
              {plan.name}
            </AccountLink>
            <span className="shrink-0 text-caption md:w-44">
              <SubscriptionStatusWord {...standing} />
            </span>
          </li>
        ))}
        {more > 0 && (
          <li className="text-caption">
            <AccountLink href={`/subscriptions?search=${encodeURIComponent(email)}`} className={link}>
              {t("more", { count: more })}
            </AccountLink>
          </li>
        )}
      </ul>
      <p className="text-caption">
        <AccountLink
          href={`/transactions?customer=${person.id}`}
          aria-label={t("salesNamed", { name })}
          className={link}
        >
          {t("sales")}
        </AccountLink>
      </p>
    </div>
  );
}
