"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FieldErrors, type Resolver, useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { isApiError } from "@/components/api";
import { originMeant } from "@/components/cards/origin";
import { useApi } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Failure } from "@/components/ui/state";
import { toast } from "@/components/ui/toast";
import type { Domain } from "@/lib/public-keys/schema";

type Values = { origin: string };

const misshapen: FieldErrors<Values> = { origin: { type: "form" } };

/** The API's own schema judges the form; it is downloaded when the form is first sent. */
const resolver: Resolver<Values> = async (values) => {
  const { DomainBody } = await import("@/lib/public-keys/schema");
  if (DomainBody.safeParse(values).success) return { values, errors: {} };
  return { values: {}, errors: misshapen };
};

/** Registers a domain; `origin` is what the form starts with. */
export function AddDomain({ origin, onClose }: { origin: string; onClose: () => void }) {
  const t = useTranslations("publicKey");
  const api = useApi();
  const client = useQueryClient();
  const form = useForm<Values>({ defaultValues: { origin }, resolver, reValidateMode: "onSubmit" });
  const add = useMutation({
    mutationFn: (values: Values) => api.post<{ data: Domain }>("/api/partner/v1/public-key/domains", values),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: [api.account, "public-key"] });
      toast(t("added"));
      onClose();
    },
    onError(error) {
      const fault = faultOf(error);
      if (fault) form.setError("origin", { type: fault }, { shouldFocus: true });
    },
  });
  const fault = form.formState.errors.origin?.type;
  return (
    <Dialog title={t("add")} description={t("addHelp")} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit((values) => add.mutate(values))} className="grid gap-5">
        <Field label={t("domain")} help={t("domainHelp")} error={fault && textOf(fault)}>
          {(wiring) => (
            <Input
              {...wiring}
              {...form.register("origin")}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://"
            />
          )}
        </Field>
        {add.error && !fault && <Failure error={add.error} />}
        <Button type="submit" look="primary" busy={add.isPending} className="justify-self-start max-sm:w-full">
          {t("add")}
        </Button>
      </form>
    </Dialog>
  );

  function textOf(type: string): string {
    if (type === "limit") return t("faults.limit");
    const meant = originMeant(form.getValues("origin"));
    return meant ? t("faults.meant", { origin: meant }) : t("faults.form");
  }
}

/** What the server found wrong with the domain itself; undefined for a failure of another kind. */
function faultOf(error: Error): "limit" | "form" | undefined {
  if (!isApiError(error)) return undefined;
  if (error.code === "domain_limit_reached") return "limit";
  return error.errors?.origin && "form";
}
