"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { type ChangeEvent, useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { isApiError } from "@/components/api";
import { useErrorText } from "@/components/error-text";
import { Picture } from "@/components/products/picture";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Section } from "@/components/ui/page";
import { toast } from "@/components/ui/toast";
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
  const upload = useUpload((file) => api.upload(path, file), refresh);
  const input = useRef<HTMLInputElement>(null);
  const noteId = useId();
  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    if (file) upload.send(file);
    target.value = ""; // so that the same file can be chosen again
  }
  const label = image_url ? t("image.replace") : t("image.send");
  return (
    <div className="grid min-w-0 flex-1 basis-36 justify-items-start gap-2">
      <input ref={input} type="file" accept={TYPES} onChange={choose} hidden />
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          aria-describedby={noteId}
          busy={upload.isBusy}
          {...(image_url && !upload.isBusy && { "aria-label": t("image.replaceIt") })}
          onClick={() => input.current?.click()}
        >
          {upload.isBusy ? t("image.sending") : label}
        </Button>
        {image_url && (
          <ConfirmButton
            look="quiet"
            size="small"
            aria-label={t("image.removeIt")}
            disabled={upload.isBusy}
            title={t("image.removeTitle")}
            help={t("image.removeHelp")}
            action={t("image.remove")}
            act={() => api.delete(path)}
            done={t("image.removed")}
            refresh={refresh}
          >
            {t("image.remove")}
          </ConfirmButton>
        )}
      </div>
      <p id={noteId} aria-live="polite" className={clsx("text-caption", upload.fault ? "text-bad" : "text-muted")}>
        {upload.fault ?? t("image.help")}
      </p>
    </div>
  );
}

/** Sends a file. Its fault is shown in the place of the help, until another file is chosen. */
function useUpload(send: (file: File) => Promise<unknown>, refresh: readonly unknown[]) {
  const t = useTranslations("products");
  const client = useQueryClient();
  const errorText = useErrorText();
  const { mutate, isPending, error, variables } = useMutation<unknown, Error, File>({
    mutationFn: (file) => (isTooLarge(file) ? Promise.reject(new Error("too large")) : send(file)),
    onSuccess: () => toast(t("image.saved")),
    onSettled: () => client.invalidateQueries({ queryKey: refresh }),
  });
  const faultOf = (failure: Error) => {
    if (isTooLarge(variables)) return t("image.faults.tooLarge");
    return isApiError(failure) && failure.errors?.image ? t("image.faults.type") : errorText(failure);
  };
  return { send: mutate, isBusy: isPending, fault: error ? faultOf(error) : undefined };
}

/** Whether the API would refuse a file by its size. It is not sent, because the answer might not arrive. */
const isTooLarge = (file: File | undefined) => file !== undefined && file.size > MAX_BYTES;
