"use client";
import type { ComponentProps, ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Tab, Tabs } from "@/components/ui/tabs";
import type { QueueQuery } from "@/lib/queue/schema";

type Mode = QueueQuery["mode"];
type LinkProps = Pick<ComponentProps<"a">, "className" | "aria-current" | "children">;
type Props = { here: string | undefined; children: (mode: Mode, link: LinkProps) => ReactNode };

/** Tabs over a list of the console, of live accounts and of sandboxes; its child makes the link. */
export function ModeTabs({ here = "live", children }: Props) {
  const t = useTranslations("operator");
  return (
    <Tabs label={t("mode")}>
      {(["live", "sandbox"] as const).map((mode) => (
        <Tab key={mode} here={here === mode}>
          {(look) => children(mode, { ...look, children: t(`modes.${mode}`) })}
        </Tab>
      ))}
    </Tabs>
  );
}
