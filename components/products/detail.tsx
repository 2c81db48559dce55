"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { Plans } from "@/components/plans/plans";
import { ProductImage } from "@/components/products/image";
import { Picture } from "@/components/products/picture";
import { productQuery } from "@/components/products/queries";
import { ProductStatusWord } from "@/components/products/status";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Copyable } from "@/components/ui/copy";
import { DetailActions } from "@/components/ui/detail-actions";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { Columns, DetailHead, Facts, PageHead, Section } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { Product } from "@/lib/products/schema";

const Editor = lazyWindow(() => import("@/components/products/editor").then((module) => module.ProductEditor));

/** One product with its plans. */
export function ProductDetail({ id, curl }: { id: string; curl: string }) {
  const t = useTranslations("products");
  const result = useQuery(productQuery(useApi().account, id));
  return (
    <Loaded result={result} head={<PageHead title={t("one")} />} skeleton={<RowsSkeleton rows={5} />}>
      {({ data }) => <Known product={data} curl={curl} />}
    </Loaded>
  );
}

function Known({ product, curl }: { product: Product; curl: string }) {
  const t = useTranslations("products");
  const { reference_id, name, description, status, created_at } = product;
  const mayWrite = useMay("plans:write");
  const isOpen = status !== "archived";
  return (
    <>
      <Breadcrumb href="/products" list={t("title")} here={name} />
      <DetailHead
        title={
          <span className="flex items-center gap-3">
            <Picture product={product} className="size-10" />
            <span className="min-w-0 wrap-anywhere">{name}</span>
          </span>
        }
        status={<ProductStatusWord {...product} />}
        actions={mayWrite && isOpen && <Actions product={product} />}
      />
      <Columns>
        <Plans productId={reference_id} mayAdd={mayWrite && isOpen} curl={curl} />
        <div className="grid gap-8 max-lg:contents">
          <Section title={t("facts")} className="max-lg:order-first">
            <Facts
              rows={[
                description ? [t("description"), description] : null,
                [t("id"), <Copyable key="id" text={reference_id} />],
                [t("createdAt"), <Time key="created" at={created_at} absolute />],
              ]}
            />
          </Section>
          <ProductImage product={product} mayChange={mayWrite && isOpen} />
        </div>
      </Columns>
    </>
  );
}

function Actions({ product }: { product: Product }) {
  const t = useTranslations("products");
  const api = useApi();
  return (
    <DetailActions
      edit={t("edit")}
      editor={(onClose) => <Editor product={product} onClose={onClose} />}
      end={{
        children: t("archive"),
        title: t("archiveNamed", { name: product.name }),
        help: t("archiveHelp"),
        action: t("archive"),
        act: () => api.delete(`/api/partner/v1/products/${product.reference_id}`),
        done: t("archived"),
        refresh: [api.account, "products"],
        list: "/products",
      }}
    />
  );
}
