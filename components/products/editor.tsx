"use client";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { useAccountPath } from "@/components/ui/link";
import type { Product, ProductAnswer } from "@/lib/products/schema";

/** Makes a product and opens it, or changes one. */
export function ProductEditor({ product, onClose }: { product?: Product; onClose: () => void }) {
  const t = useTranslations("products");
  const api = useApi();
  const router = useRouter();
  const to = useAccountPath();
  const form = useApiForm({
    schema: () => import("@/lib/products/schema").then(({ ProductInput }) => ProductInput),
    defaultValues: { name: product?.name ?? "", description: product?.description ?? "" },
    send: (body) =>
      product
        ? api.put<ProductAnswer>(`/api/partner/v1/products/${product.reference_id}`, body)
        : api.post<ProductAnswer>("/api/partner/v1/products", body),
    refresh: [api.account, "products"],
    ...(product && { done: t("saved") }),
    onSuccess: ({ data }) => (product ? onClose() : router.push(to(`/products/${data.reference_id}`))),
    leaves: !product,
  });
  return (
    <FormDialog
      form={form}
      title={product ? t("edit") : t("new")}
      action={product ? t("save") : t("create")}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t("name")} help={t("nameHelp")} fault={t("faults.name")} />
      <TextField
        form={form}
        name="description"
        label={t("description")}
        optional={t("optional")}
        help={t("descriptionHelp")}
        fault={t("faults.description")}
      />
    </FormDialog>
  );
}
