import type { catalogues } from "@/messages/catalogues";

export const locales = ["pt-BR", "en"] as const;
export type Locale = (typeof locales)[number];
export type Messages = (typeof catalogues)["pt-BR"];
/** A part of the catalogue, as `useTranslations` and `getTranslations` name it. */
export type Namespace = keyof Messages;

declare module "use-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}
