"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useStaffMay } from "@/components/operator/person";
import { approveFactorReset, askFactorReset, peopleQuery } from "@/components/operator/queries";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import type { SellersPeople } from "@/lib/approvals/schema";

type Person = SellersPeople["data"][number];

/** The people of a seller's team, and the reset of a lost second factor, for which one of the staff asks and another decides. */
export function SellerPeople({ id }: { id: string }) {
  const t = useTranslations("operator.people");
  const result = useQuery(peopleQuery(id));
  return (
    <Section title={t("title")}>
      <Loaded result={result}>
        {({ data }) => (
          <ul>
            {data.map((person) => (
              <li key={person.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t py-3">
                <div className="grid min-w-0">
                  <p className="wrap-anywhere font-medium">
                    {person.name} <span className="font-normal text-muted">· {t(`roles.${person.role}`)}</span>
                  </p>
                  <p className="wrap-anywhere text-caption text-muted">
                    {person.email} · {t(person.has_second_factor ? "factor" : "noFactor")}
                  </p>
                </div>
                <Reset account={id} person={person} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function Reset({ account, person: { id, name, has_second_factor, reset } }: { account: string; person: Person }) {
  const t = useTranslations("operator.people");
  if (!useStaffMay("accounts:write") || !has_second_factor) return null;
  if (reset?.is_mine) return <p className="text-caption text-muted">{t("waits")}</p>;
  const act = reset ? "approve" : "ask";
  const send = reset ? approveFactorReset : askFactorReset;
  return (
    <ConfirmButton
      look="quiet"
      size="small"
      title={t(`${act}Named`, { name })}
      help={t(`${act}Help`)}
      action={t(act)}
      act={() => send(account, id)}
      done={t(reset ? "approved" : "asked")}
      refresh={peopleQuery(account).queryKey}
    >
      {t(act)}
    </ConfirmButton>
  );
}
