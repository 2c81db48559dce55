"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { phoneNumber } from "@/components/format";
import { ClosingSection } from "@/components/settings/closing";
import { ContactForm } from "@/components/settings/contact-form";
import { Identity } from "@/components/settings/identity";
import { AccountPicture } from "@/components/settings/picture";
import { ownAccountQuery } from "@/components/settings/queries";
import { FieldsSkeleton } from "@/components/settings/skeleton";
import { SettingsHead } from "@/components/settings/tabs";
import { Loaded } from "@/components/ui/loaded";
import { Columns, Facts, Section } from "@/components/ui/page";
import type { OwnAccount } from "@/lib/profile/schema";

/** What the account says of itself, what the operator reviews of it, and how it is closed. */
export function CompanyPage() {
  const result = useQuery(ownAccountQuery(useApi().account));
  return (
    <>
      <SettingsHead />
      <Loaded result={result} skeleton={<FieldsSkeleton />}>
        {({ data }) => <Known account={data} />}
      </Loaded>
    </>
  );
}

function Known({ account }: { account: OwnAccount }) {
  const { role } = useSession();
  const isOpen = account.status !== "closed";
  const mayWrite = useMay("account:write") && isOpen;
  return (
    <Columns>
      <div className="grid min-w-0 gap-8">
        {mayWrite ? <ContactForm account={account} /> : <ContactFacts account={account} />}
        {role === "owner" && account.mode === "live" && <ClosingSection account={account} />}
      </div>
      <div className="grid min-w-0 gap-8">
        <Identity account={account} mayWrite={mayWrite} />
        <AccountPicture account={account} mayWrite={mayWrite} />
      </div>
    </Columns>
  );
}

/** The same for whoever may only read it. */
function ContactFacts({ account }: { account: OwnAccount }) {
  const t = useTranslations("settings");
  const { phone, address, support_email, support_phone, time_zone, payer_policy } = account;
  const shown = (value: string | null) => value ?? t("none");
  const place = address && [address.street, address.streetNumber, address.district, address.city, address.state];
  const zone = `zones.${time_zone}` as "zones.America/Sao_Paulo";
  return (
    <Section title={t("contact")}>
      <Facts
        rows={[
          [t("phone"), phone === null ? t("none") : phoneNumber(phone)],
          [t("address"), place ? place.filter(Boolean).join(", ") : t("none")],
          [t("supportEmail"), shown(support_email)],
          [t("supportPhone"), support_phone === null ? t("none") : phoneNumber(support_phone)],
          [t("timeZone"), t.has(zone) ? t(zone) : time_zone],
          [t("payer"), t(`payerPolicies.${payer_policy}`)],
        ]}
      />
    </Section>
  );
}
