"use client";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { type ApiForm, useApiForm } from "@/components/api-form";
import { type LinkValues, linkBody, valuesOf } from "@/components/payment-links/values";
import { sellableProducts } from "@/components/products/queries";
import { Field, Select } from "@/components/ui/field";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { useAccountPath } from "@/components/ui/link";
import { MoneyField } from "@/components/ui/money-input";
import { WayBackFields } from "@/components/way-back/fields";
import type { PaymentLink, PaymentLinkAnswer } from "@/lib/payment-links/schema";

/** Makes a payment link and opens it, or changes one. */
export function LinkEditor({ link, onClose }: { link?: PaymentLink; onClose: () => void }) {
  const t = useTranslations("paymentLinks");
  const api = useApi();
  const router = useRouter();
  const to = useAccountPath();
  const form = useApiForm({
    schema: () => import("@/lib/payment-links/schema").then(({ PaymentLinkInput }) => PaymentLinkInput),
    defaultValues: valuesOf(link),
    body: linkBody,
    send: (body) =>
      link
        ? api.patch<PaymentLinkAnswer>(`/api/partner/v1/payment-links/${link.token}`, changed(body, link))
        : api.post<PaymentLinkAnswer>("/api/partner/v1/payment-links", body),
    refresh: [api.account, "payment-links"],
    ...(link && { done: t("saved") }),
    onSuccess: ({ data }) => (link ? onClose() : router.push(to(`/payment-links/${data.token}`))),
    fieldOf: { amount_below_minimum: "amount" },
    leaves: !link,
  });
  return (
    <FormDialog
      form={form}
      title={link ? t("edit") : t("new")}
      action={link ? t("save") : t("create")}
      onClose={onClose}
    >
      <MoneyField form={form} name="amount" label={t("amount")} fault={t("faults.amount")} />
      <TextField
        form={form}
        name="description"
        label={t("description")}
        help={t("descriptionHelp")}
        fault={t("faults.description")}
        maxLength={255}
      />
      <ProductField form={form} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          form={form}
          name="expires_at"
          type="date"
          label={t("expires")}
          optional={t("optional")}
          help={t("expiresHelp")}
          fault={t("faults.expires")}
        />
        <TextField
          form={form}
          name="max_payments"
          inputMode="numeric"
          label={t("most")}
          optional={t("optional")}
          help={t("mostHelp")}
          fault={t("faults.most")}
        />
      </div>
      <label className="flex items-center gap-3">
        <input type="checkbox" {...form.register("collect_address")} className="size-4 accent-accent" />
        {t("collectAddress")}
      </label>
      <WayBackFields form={form} />
    </FormDialog>
  );
}

/** A change names the end only where it changed, because the end of a link that is over is not in the future. */
function changed<B extends { expires_at?: string | null | undefined }>({ expires_at, ...body }: B, link: PaymentLink) {
  const isSame = expires_at === linkBody(valuesOf(link)).expires_at;
  return isSame ? body : { ...body, expires_at };
}

/** The product that the link sells, for who may see products. */
function ProductField({ form }: { form: ApiForm<LinkValues, PaymentLinkAnswer> }) {
  const t = useTranslations("paymentLinks");
  const { features } = useSession();
  const maySee = useMay("plans:read") && features.includes("recurring");
  const { data } = useQuery({ ...sellableProducts(useApi().account), enabled: maySee });
  if (!maySee || !data || data.data.length === 0) return null;
  return (
    <Field
      label={t("product")}
      optional={t("optional")}
      help={t("productHelp")}
      error={form.faultOf("product") && t("faults.product")}
    >
      {(wiring) => (
        <Select {...wiring} {...form.register("product")}>
          <option value="">{t("noProduct")}</option>
          {data.data.map(({ reference_id, name }) => (
            <option key={reference_id} value={reference_id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
