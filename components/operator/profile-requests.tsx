"use client";
import { useTranslations } from "use-intl";
import { List, type ListProps } from "@/components/list/list";
import type { ListPage } from "@/components/list/source";
import { covering } from "@/components/list/table";
import { useList } from "@/components/list/use-list";
import { Age } from "@/components/operator/age";
import type { ReviewedRequest } from "@/components/operator/profile-request-queries";
import { SellerLink } from "@/components/operator/seller-link";

const members = ["name", "document", "legal_representative"] as const;

/** What sellers ask to be changed of their profiles, the longest waiting first; each is decided beside its account. */
export function ProfileRequests({ source }: ListProps<ListPage<ReviewedRequest>, "page">) {
  const t = useTranslations("profileRequests");
  const { result, list } = useList(source, null);
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      empty={t("empty")}
      shown={t}
      keyOf={({ request }) => request.id}
      columns={[
        {
          head: t("columns.seller"),
          place: "title",
          cell: ({ account }) => (
            <SellerLink id={account.id} className={covering}>
              {account.name}
            </SellerLink>
          ),
        },
        {
          head: t("columns.changes"),
          place: "bottomLeft",
          className: "text-muted",
          cell: ({ request }) =>
            members
              .filter((member) => request[member] !== null)
              .map((member) => t(`members.${member}`))
              .join(", "),
        },
        {
          head: t("columns.age"),
          place: "topRight",
          className: "text-muted",
          cell: ({ request }) => <Age since={request.created_at} />,
        },
      ]}
    />
  );
}
