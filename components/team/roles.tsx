"use client";
import { Check, Minus } from "lucide-react";
import type { FieldValues, Path } from "react-hook-form";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import type { ApiForm } from "@/components/api-form";
import { ScopeList } from "@/components/team/scope-list";
import { allScopes, roles } from "@/lib/auth/scopes";
import type { Member } from "@/lib/team/schema";

export type Role = Member["role"];

/** Every role, the one that may most first. */
const allRoles = Object.keys(roles) as Role[];

type Props<V extends FieldValues> = { form: Pick<ApiForm<V>, "register" | "watch">; name: Path<V> };

/** One of the roles that this person may give, with what it may do. */
export function RoleField<V extends FieldValues>({ form, name }: Props<V>) {
  const t = useTranslations("team");
  const role = useTranslations("roles");
  const { role: mine } = useSession();
  const chosen: Role = form.watch(name);
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium">{t("role")}</legend>
        {allRoles
          .filter((one) => one !== "owner" || mine === "owner")
          .map((one) => (
            <label key={one} className="flex items-start gap-3">
              <input
                type="radio"
                value={one}
                {...form.register(name)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="grid">
                <span>{role(one)}</span>
                <span className="text-caption text-muted">{role(`help.${one}`)}</span>
              </span>
            </label>
          ))}
      </fieldset>
      <div aria-live="polite" className="rounded-card border px-4 py-3">
        <p className="mb-1.5 font-medium">{t("may", { role: role(chosen) })}</p>
        <ScopeList of={roles[chosen]} />
      </div>
    </>
  );
}

/** What each role may do, side by side. */
export function RolesTable() {
  const t = useTranslations("team");
  const role = useTranslations("roles");
  const scope = useTranslations("scopes");
  return (
    <details className="border-t pt-3">
      <summary className="flex h-8 items-center font-semibold">{t("compare")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keyboard */}
      <section aria-label={t("compare")} tabIndex={0} className="relative -mx-1 mt-2 overflow-x-auto px-1">
        <table className="w-full min-w-[640px] text-caption">
          <thead>
            <tr className="h-9 text-left text-muted">
              <th scope="col" className="pr-3 font-normal">
                {t("permission")}
              </th>
              {allRoles.map((one) => (
                <th key={one} scope="col" className="px-3 text-center font-normal">
                  {role(one)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {allScopes.map((one) => (
              <tr key={one} className="h-8 border-t">
                <th scope="row" className="pr-3 text-left font-normal">
                  {scope(one)}
                </th>
                {allRoles.map((by) => (
                  <td key={by} className="px-3 text-center">
                    <Has it={roles[by].includes(one)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function Has({ it }: { it: boolean }) {
  const t = useTranslations("team");
  const Icon = it ? Check : Minus;
  return (
    <>
      <Icon aria-hidden="true" className={it ? "inline size-4 text-accent" : "inline size-4 text-muted"} />
      <span className="sr-only">{t(it ? "yes" : "no")}</span>
    </>
  );
}
