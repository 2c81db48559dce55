"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { Plans } from "@/components/plans/plans";
import { ProductImage } from "@/components/products/image";
import { Picture } from "@/components/products/picture";
import { productQuery } from "@/components/products/queries";
import { ProductStatusWord } from "@/components/products/status";
import { ReadRecord, Record } from "@/components/record/record";
import { RecordTimeline } from "@/components/timeline/timeline";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Copyable } from "@/components/ui/copy";
import { DetailActions } from "@/components/ui/detail-actions";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import type { Product } from "@/lib/products/schema";

const Editor = lazyWindow(() => import("@/components/products/editor").then((module) => module.ProductEditor));

/** One product with its plans. */
export function ProductDetail({ id, curl }: { id: string; curl: string }) {
  const t = useTranslations("products");
  const result = useQuery(productQuery(useApi().account, id));
  return (
    <ReadRecord result={result} title={t("one")}>
      {({ data }) => <Known product={data} curl={curl} />}
    </ReadRecord>
  );
}

function Known({ product, curl }: { product: Product; curl: string }) {
  const t = useTranslations("products");
  const { reference_id, name, description, status, created_at } = product;
  const mayWrite = useMay("plans:write");
  const isOpen = status !== "archived";
  return (
    <Record
      trail={<Breadcrumb href="/products" list={t("title")} here={name} />}
      title={
        <span className="flex items-center gap-3">
          <Picture product={product} className="size-10" />
          <span className="min-w-0 wrap-anywhere">{name}</span>
        </span>
      }
      status={<ProductStatusWord {...product} />}
      actions={mayWrite && isOpen && <Actions product={product} />}
      aside={
        <>
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
        </>
      }
      timeline={<RecordTimeline subject="product" id={reference_id} record={product} />}
      raw={product}
    >
      <Plans productId={reference_id} mayAdd={mayWrite && isOpen} curl={curl} />
    </Record>
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
