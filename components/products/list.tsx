"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List } from "@/components/list/list";
import { LinkRow, Rows } from "@/components/list/row";
import { useList } from "@/components/list/use-list";
import { StatusWord } from "@/components/plans/status";
import { Picture } from "@/components/products/picture";
import { products } from "@/components/products/queries";
import { lazyWindow } from "@/components/ui/lazy-window";

const Editor = lazyWindow(() => import("@/components/products/editor").then((module) => module.ProductEditor));

export function Products({ curl }: { curl: string }) {
  const t = useTranslations("products");
  const list = useList(products, useApi().account);
  const mayWrite = useMay("plans:write");
  return (
    <List
      {...list}
      title={t("title")}
      purpose={t("purpose")}
      add={mayWrite && { label: t("new"), dialog: Editor }}
      empty={t("empty")}
      curl={curl}
      rows={3}
      place={({ meta }) => t("total", { count: meta.total })}
    >
      {(rows) => (
        <Rows>
          {rows.map((product) => (
            <LinkRow
              key={product.reference_id}
              href={`/products/${product.reference_id}`}
              lead={<Picture product={product} className="size-9" />}
              title={product.name}
              note={product.description}
              cells={[<StatusWord key="status" status={product.status} />]}
            />
          ))}
        </Rows>
      )}
    </List>
  );
}
