import type pt from "@/messages/pt-BR.json";

export const locales = ["pt-BR", "en"] as const;
export type Locale = (typeof locales)[number];
export type Messages = typeof pt;

declare module "use-intl" {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}
