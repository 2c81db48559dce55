"use client";
import { useTranslations } from "use-intl";
import type { FilterControl } from "@/components/list/use-list";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import type { TrackedName } from "@/lib/transactions/schema";

type Props = { list: FilterControl<TrackedName>; names: readonly TrackedName[]; onClose: () => void };

/** Asks for the origin of the sales that the list shows, as their ad's link has it. */
export function TrackedForm({ list, names, onClose }: Props) {
  const t = useTranslations("sales.tracked");
  function choose(typed: FormData) {
    list.go(Object.fromEntries(names.map((name) => [name, String(typed.get(name)).trim()])));
    onClose();
  }
  return (
    <Dialog title={t("title")} description={t("help")} onClose={onClose}>
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          choose(new FormData(event.currentTarget));
        }}
      >
        {names.map((name) => (
          <Field key={name} label={t(name)}>
            {(wiring) => (
              <Input {...wiring} name={name} defaultValue={list.filters[name]} maxLength={255} autoComplete="off" />
            )}
          </Field>
        ))}
        <Button look="primary" type="submit" className="justify-self-start max-sm:w-full">
          {t("apply")}
        </Button>
      </form>
    </Dialog>
  );
}
