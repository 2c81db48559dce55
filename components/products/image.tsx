"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { Picture } from "@/components/products/picture";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Section } from "@/components/ui/page";
import { Upload } from "@/components/ui/upload";
import type { Product } from "@/lib/products/schema";

const TYPES = "image/png,image/jpeg,image/webp";
const MAX_BYTES = 1_000_000;

type Props = { product: Product; mayChange: boolean };

/** A product's image, and how it is sent, replaced and removed. */
export function ProductImage({ product, mayChange }: Props) {
  const t = useTranslations("products");
  const { name, image_url } = product;
  if (!mayChange && !image_url) return null;
  return (
    <Section title={t("image.title")}>
      <div className="flex flex-wrap items-start gap-4">
        <Picture product={product} alt={t("image.alt", { name })} className="size-32 text-figure" />
        {mayChange && <Controls product={product} />}
      </div>
    </Section>
  );
}

function Controls({ product: { reference_id: id, image_url } }: { product: Product }) {
  const t = useTranslations("products");
  const api = useApi();
  const refresh = [api.account, "products"];
  const path = `/api/partner/v1/products/${id}/image` as const;
  return (
    <Upload
      types={TYPES}
      maxBytes={MAX_BYTES}
      send={(file) => api.upload(path, file)}
      field="image"
      refresh={refresh}
      texts={{
        send: image_url ? t("image.replace") : t("image.send"),
        sending: t("image.sending"),
        label: image_url ? t("image.replaceIt") : undefined,
        ...{ done: t("image.saved"), help: t("image.help") },
        ...{ tooLarge: t("image.faults.tooLarge"), refused: t("image.faults.type") },
      }}
    >
      {(isBusy) =>
        image_url && (
          <ConfirmButton
            look="quiet"
            size="small"
            aria-label={t("image.removeIt")}
            disabled={isBusy}
            title={t("image.removeTitle")}
            help={t("image.removeHelp")}
            action={t("image.remove")}
            act={() => api.delete(path)}
            done={t("image.removed")}
            refresh={refresh}
          >
            {t("image.remove")}
          </ConfirmButton>
        )
      }
    </Upload>
  );
}
