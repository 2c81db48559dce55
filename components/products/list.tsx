"use client";
import { ChevronRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { Picture } from "@/components/products/picture";
import { products } from "@/components/products/queries";
import { ProductStatusWord } from "@/components/products/status";
import { lazyWindow } from "@/components/ui/lazy-window";
import { RowLink } from "@/components/ui/row-link";
import type { Product } from "@/lib/products/schema";

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
        <ul className="border-b">
          {rows.map((product) => (
            <Row key={product.reference_id} product={product} />
          ))}
        </ul>
      )}
    </List>
  );
}

function Row({ product }: { product: Product }) {
  const { reference_id, name, description, status } = product;
  return (
    <li className="relative grid gap-x-6 gap-y-1 border-t py-3 transition-colors hover:bg-line/35 md:grid-cols-[minmax(0,1fr)_140px_20px] md:items-center">
      <div className="flex min-w-0 items-center gap-3">
        <Picture product={product} className="size-9" />
        <div className="min-w-0">
          <RowLink
            href={`/products/${reference_id}`}
            className="block truncate font-semibold after:absolute after:inset-0"
          >
            {name}
          </RowLink>
          {description && <p className="truncate text-caption text-muted">{description}</p>}
        </div>
      </div>
      <div className="max-md:pl-12">
        <ProductStatusWord status={status} />
      </div>
      <ChevronRight aria-hidden="true" className="size-4 text-muted max-md:hidden" />
    </li>
  );
}
