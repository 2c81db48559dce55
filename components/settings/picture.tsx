"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { Picture } from "@/components/products/picture";
import { settingsOf } from "@/components/settings/queries";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Section } from "@/components/ui/page";
import { Upload } from "@/components/ui/upload";
import type { OwnAccount } from "@/lib/profile/schema";

const PATH = "/api/dashboard/v1/account/image";

/** The picture that the checkout shows beside the account's name, and how it is sent, replaced and removed. */
export function AccountPicture({ account, mayWrite }: { account: OwnAccount; mayWrite: boolean }) {
  const t = useTranslations("settings.picture");
  const { name, image_url } = account;
  if (!mayWrite && !image_url) return null;
  return (
    <Section title={t("title")}>
      <div className="flex flex-wrap items-start gap-4">
        <Picture product={account} alt={t("alt", { name })} className="size-20 text-figure" />
        {mayWrite && <Controls hasPicture={image_url !== null} />}
      </div>
    </Section>
  );
}

function Controls({ hasPicture }: { hasPicture: boolean }) {
  const t = useTranslations("settings.picture");
  const api = useApi();
  const refresh = settingsOf(api.account);
  return (
    <Upload
      types="image/png,image/jpeg,image/webp"
      maxBytes={1_000_000}
      send={(file) => api.upload(PATH, file)}
      field="image"
      refresh={refresh}
      texts={{
        ...{ send: hasPicture ? t("replace") : t("send"), sending: t("sending"), done: t("saved") },
        ...{ help: t("help"), tooLarge: t("tooLarge"), refused: t("refused") },
      }}
    >
      {(isBusy) =>
        hasPicture && (
          <ConfirmButton
            look="quiet"
            size="small"
            disabled={isBusy}
            title={t("removeTitle")}
            help={t("removeHelp")}
            action={t("remove")}
            act={() => api.delete(PATH)}
            done={t("removed")}
            refresh={refresh}
          >
            {t("remove")}
          </ConfirmButton>
        )
      }
    </Upload>
  );
}
