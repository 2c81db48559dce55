"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List } from "@/components/list/list";
import { LinkRow, Rows } from "@/components/list/row";
import { StatusSelect } from "@/components/list/status-select";
import { FilterBar } from "@/components/list/toolbar";
import { useList } from "@/components/list/use-list";
import { Picture } from "@/components/products/picture";
import { products } from "@/components/products/queries";
import { ProductStatusWord } from "@/components/products/status";
import { lazyWindow } from "@/components/ui/lazy-window";

const Editor = lazyWindow(() => import("@/components/products/editor").then((module) => module.ProductEditor));

const statuses = ["active", "inactive", "archived"] as const;

export function Products({ curl }: { curl: string }) {
  const t = useTranslations("products");
  const { result, list } = useList(products, useApi().account);
  const mayWrite = useMay("plans:write");
  return (
    <List
      result={result}
      list={list}
      title={t("title")}
      purpose={t("purpose")}
      add={mayWrite && { label: t("new"), dialog: Editor }}
      tools={
        <FilterBar list={list}>
          <StatusSelect
            list={list}
            label={t("status.label")}
            any={t("status.open")}
            statuses={statuses}
            name={(status) => t(`status.${status}`)}
          />
        </FilterBar>
      }
      empty={t("empty")}
      nothing={t("nothing")}
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
