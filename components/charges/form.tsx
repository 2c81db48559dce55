"use client";
import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef } from "react";
import { Controller, type Resolver, useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { isApiError } from "@/components/api";
import { ClientFields } from "@/components/charges/client-fields";
import { Summary } from "@/components/charges/summary";
import { type ChargeValues, chargeBody, emptyCharge, fieldOf } from "@/components/charges/values";
import { useApi } from "@/components/frame/account";
import { useAccountPath } from "@/components/frame/link";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { MoneyInput } from "@/components/ui/money-input";
import { Failure } from "@/components/ui/state";

type Created = { identifier: string };

/** The API's own schema judges the form; it is downloaded when the form is first sent. */
const resolver: Resolver<ChargeValues> = async (values) => {
  const loaded = await import("@/lib/deposits/schema").catch(() => null); // without it the API judges alone
  const error = loaded?.CashInBody.safeParse(chargeBody(values)).error;
  if (!error) return { values, errors: {} };
  const faults = error.issues.map(({ path }) => fieldOf[path.join(".")] ?? "amount");
  return { values: {}, errors: Object.fromEntries(faults.map((field) => [field, { type: "schema" }])) };
};

export function ChargeForm() {
  const t = useTranslations("charges");
  const api = useApi();
  const to = useAccountPath();
  const router = useRouter();
  const form = useForm<ChargeValues>({ defaultValues: emptyCharge, resolver });
  const sent = useRef({ body: "", key: "" });

  const create = useMutation({
    mutationFn: (values: ChargeValues) => {
      const body = chargeBody(values);
      const text = JSON.stringify(body);
      // The same content sent again after a lost answer must not make a second charge.
      if (sent.current.body !== text) sent.current = { body: text, key: crypto.randomUUID() };
      return api.post<Created>("/api/partner/v1/cash-in", body, { idempotencyKey: sent.current.key });
    },
    onSuccess: ({ identifier }) => router.push(to(`/charges/${identifier}`)),
    onError: (error) => {
      const paths = Object.keys((isApiError(error) && error.errors) || {});
      const faulty = paths.map((path) => fieldOf[path] ?? "amount");
      for (const field of faulty) {
        form.setError(field, { type: "server" }, { shouldFocus: field === faulty[0] });
      }
    },
  });
  const faults = form.formState.errors;
  const failure = create.error && !(isApiError(create.error) && create.error.errors) ? create.error : null;
  const busy = create.isPending || create.isSuccess;

  return (
    <form
      noValidate
      onSubmit={form.handleSubmit((values) => create.mutate(values))}
      className="grid max-w-[560px] gap-6"
    >
      <Controller
        control={form.control}
        name="amount"
        render={({ field }) => (
          <Field label={t("amount")} error={faults.amount && t("faults.amount")}>
            {(wiring) => (
              <MoneyInput
                {...wiring}
                ref={field.ref}
                onBlur={field.onBlur}
                cents={field.value}
                onCents={field.onChange}
              />
            )}
          </Field>
        )}
      />
      <Field
        label={t("description")}
        optional={t("optional")}
        help={t("descriptionHelp")}
        error={faults.description && t("faults.description")}
      >
        {(wiring) => <Input {...wiring} {...form.register("description")} autoComplete="off" />}
      </Field>
      <ClientFields form={form} />
      {failure && <Failure error={failure} />}
      <div className="grid gap-4 border-t pt-5">
        <Summary amount={form.watch("amount")} />
        <Button type="submit" look="primary" size="large" busy={busy} className="justify-self-start max-sm:w-full">
          {busy ? t("creating") : t("create")}
        </Button>
      </div>
    </form>
  );
}
