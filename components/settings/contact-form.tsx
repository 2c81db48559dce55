"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { phoneNumber } from "@/components/format";
import { settingsOf } from "@/components/settings/queries";
import { Field, Select } from "@/components/ui/field";
import { ChoiceField, Form, RadioField, Submit, TextField } from "@/components/ui/form";
import { Section } from "@/components/ui/page";
import { payerPolicies, states, zones } from "@/lib/profile/limits";
import type { OwnAccount, ProfileChangeSent } from "@/lib/profile/schema";

const addressFields = ["zipCode", "street", "streetNumber", "complement", "district", "city", "state"] as const;
type AddressValues = Record<(typeof addressFields)[number], string>;

/** An address as its fields show it. */
const addressIn = (address: OwnAccount["address"]) =>
  Object.fromEntries(addressFields.map((name) => [name, String(address?.[name] ?? "")])) as AddressValues;

/** An address of which nothing is written is none; the schema says what is wrong with one of which something is missing. */
const addressOf = (values: AddressValues) =>
  Object.values(values).every((value) => value.trim() === "") ? null : (values as ProfileChangeSent["address"]);

/** What a seller changes by itself: phone, address, support contact and zone. */
export function ContactForm({ account }: { account: OwnAccount }) {
  const t = useTranslations("settings");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/profile/schema").then(({ ProfileChange }) => ProfileChange),
    defaultValues: {
      phone: account.phone === null ? "" : phoneNumber(account.phone),
      address: addressIn(account.address),
      support_email: account.support_email ?? "",
      support_phone: account.support_phone === null ? "" : phoneNumber(account.support_phone),
      time_zone: account.time_zone,
      payer_policy: account.payer_policy,
    },
    body: ({ address, time_zone, ...rest }): ProfileChangeSent => ({
      ...rest,
      address: addressOf(address),
      // A zone that cannot be changed is not sent.
      ...(!account.time_zone_is_fixed && { time_zone: time_zone as ProfileChangeSent["time_zone"] }),
    }),
    send: (body) => api.patch("/api/dashboard/v1/account", body),
    refresh: settingsOf(api.account),
    done: t("saved"),
    fieldOf: { time_zone_fixed: "time_zone" },
  });
  const required = t("faults.required");
  const tel = { type: "tel", inputMode: "tel" } as const;
  return (
    <Form form={form} className="!gap-8">
      <Section title={t("contact")}>
        <p className="mb-4 text-muted">{t("contactHelp")}</p>
        <div className="grid max-w-[560px] gap-5">
          <TextField form={form} name="phone" label={t("phone")} fault={t("faults.phone")} {...tel} />
          <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
            <TextField
              form={form}
              name="address.zipCode"
              label={t("zipCode")}
              fault={t("faults.zipCode")}
              inputMode="numeric"
            />
            <TextField form={form} name="address.street" label={t("street")} fault={required} />
          </div>
          <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
            <TextField form={form} name="address.streetNumber" label={t("streetNumber")} fault={required} />
            <TextField
              form={form}
              name="address.complement"
              label={t("complement")}
              optional={t("optional")}
              fault={required}
            />
          </div>
          <TextField form={form} name="address.district" label={t("district")} fault={required} />
          <div className="grid gap-5 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <TextField form={form} name="address.city" label={t("city")} fault={required} />
            <ChoiceField
              form={form}
              name="address.state"
              label={t("state")}
              none={t("chooseState")}
              options={states.map((state) => [state, state] as const)}
              fault={t("faults.state")}
            />
          </div>
        </div>
      </Section>
      <Section title={t("support")}>
        <p className="mb-4 text-muted">{t("supportHelp")}</p>
        <div className="grid max-w-[560px] gap-5">
          <TextField
            form={form}
            name="support_email"
            label={t("supportEmail")}
            optional={t("optional")}
            fault={t("faults.email")}
            type="email"
          />
          <TextField
            form={form}
            name="support_phone"
            label={t("supportPhone")}
            optional={t("optional")}
            fault={t("faults.phone")}
            {...tel}
          />
          <Field
            label={t("timeZone")}
            help={account.time_zone_is_fixed ? t("timeZoneFixed") : t("timeZoneHelp")}
            error={form.faultOf("time_zone") && t("timeZoneFixed")}
          >
            {(wiring) => (
              <Select
                {...wiring}
                {...form.register("time_zone")}
                aria-disabled={account.time_zone_is_fixed || undefined}
              >
                {(account.time_zone_is_fixed ? zones.filter((zone) => zone === account.time_zone) : zones).map(
                  (zone) => (
                    <option key={zone} value={zone}>
                      {t(`zones.${zone}`)}
                    </option>
                  ),
                )}
              </Select>
            )}
          </Field>
        </div>
      </Section>
      <Section title={t("payer")}>
        <p className="mb-4 text-muted">{t("payerHelp")}</p>
        <RadioField
          form={form}
          name="payer_policy"
          label={t("payerPolicy")}
          options={payerPolicies.map((policy) => [policy, t(`payerPolicies.${policy}`)] as const)}
        />
      </Section>
      <Submit form={form}>{t("save")}</Submit>
    </Form>
  );
}
