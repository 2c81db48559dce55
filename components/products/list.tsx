"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List, type ListProps } from "@/components/list/list";
import { LinkRow, Rows } from "@/components/list/row";
import { useList } from "@/components/list/use-list";
import { Picture } from "@/components/products/picture";
import { ProductStatusWord } from "@/components/products/status";
import { lazyWindow } from "@/components/ui/lazy-window";
import type { ProductPage, ProductQuery } from "@/lib/products/schema";

const Editor = lazyWindow(() => import("@/components/products/editor").then((module) => module.ProductEditor));

const statuses = ["active", "inactive", "archived"] as const;

export function Products({ source, curl }: ListProps<ProductPage, keyof ProductQuery>) {
  const t = useTranslations("products");
  const mayWrite = useMay("plans:write");
  return (
    <List
      {...useList(source, useApi().account)}
      title={t("title")}
      purpose={t("purpose")}
      add={mayWrite && { label: t("new"), dialog: Editor }}
      choices={[
        {
          ...{ filter: "status", label: t("status.label"), any: t("status.open") },
          options: statuses.map((status) => [status, t(`status.${status}`)]),
        },
      ]}
      empty={t("empty")}
      nothing={t("nothing")}
      curl={curl}
      rows={3}
      shown={t}
    >
      {(rows) => (
        <Rows>
          {rows.map((product) => (
            <LinkRow
              key={product.reference_id}
              href={`/products/${product.reference_id}`}
              picture={<Picture product={product} className="size-9" />}
              title={product.name}
              note={product.description}
              cells={[<ProductStatusWord key="status" {...product} />]}
            />
          ))}
        </Rows>
      )}
    </List>
  );
}
