"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { Secrets } from "@/components/ui/secret";
import { Failure } from "@/components/ui/state";
import type { NewCredential } from "@/lib/credentials/schema";

/** Asks for a name, then shows the secret and the API key: once, so the window is left only on purpose. */
export function CreateCredential({ onClose }: { onClose: () => void }) {
  const t = useTranslations("credentials");
  const api = useApi();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [missing, setMissing] = useState(false);
  const create = useMutation({
    mutationFn: () => api.post<{ data: NewCredential }>("/api/partner/v1/credentials", { name: name.trim() }),
    onSuccess: () => client.invalidateQueries({ queryKey: [api.account, "credentials"] }),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setMissing(name.trim() === "");
    if (name.trim() === "") event.currentTarget.querySelector("input")?.focus();
    else create.mutate();
  }
  if (create.data) {
    const { client_id, client_secret, api_key } = create.data.data;
    return (
      <Dialog title={t("createdTitle")} description={t("once")} sticky onClose={onClose}>
        <Secrets
          rows={[
            [t("clientId"), client_id],
            [t("clientSecret"), client_secret],
            [t("apiKey"), api_key, t("apiKeyHelp")],
          ]}
        />
        <Button look="primary" className="mt-6 max-sm:w-full" onClick={onClose}>
          {t("kept")}
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("new")} description={t("newHelp")} onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        <Field label={t("name")} help={t("nameHelp")} error={missing ? t("nameMissing") : undefined}>
          {(wiring) => (
            <Input
              {...wiring}
              value={name}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        {create.error && <Failure error={create.error} />}
        <Button type="submit" look="primary" busy={create.isPending} className="justify-self-start max-sm:w-full">
          {t("create")}
        </Button>
      </form>
    </Dialog>
  );
}
