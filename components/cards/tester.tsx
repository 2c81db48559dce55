"use client";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Section } from "@/components/ui/page";
import { Failure } from "@/components/ui/state";
import { Status } from "@/components/ui/status";
import type { DomainTest } from "@/lib/public-keys/schema";

/** Asks whether a page of an origin would be let in, and says why not: the public route itself never does. */
export function OriginTester({ onAdd }: { onAdd?: (origin: string) => void }) {
  const t = useTranslations("originTester");
  const api = useApi();
  const [origin, setOrigin] = useState("");
  const test = useMutation({
    mutationFn: (asked: string) => api.post<DomainTest>("/api/partner/v1/public-key/domains/test", { origin: asked }),
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (origin.trim() === "") event.currentTarget.querySelector("input")?.focus();
    else test.mutate(origin.trim());
  }
  const result = test.data?.data;
  const asked = test.variables ?? "";
  return (
    <Section title={t("title")}>
      <form noValidate onSubmit={submit} className="grid gap-3">
        <Field label={t("origin")} help={t("help")}>
          {(wiring) => (
            <Input
              {...wiring}
              value={origin}
              onChange={({ target }) => setOrigin(target.value)}
              maxLength={2048}
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://"
            />
          )}
        </Field>
        <Button type="submit" busy={test.isPending} className="justify-self-start max-sm:w-full">
          {t("test")}
        </Button>
      </form>
      <div role="status">
        {result && !test.isPending && (
          <div className="mt-4 grid justify-items-start gap-1">
            <p className="break-all text-caption text-muted">{asked}</p>
            <Status tone={result.accepted ? "good" : "bad"} className="font-medium">
              {t(result.accepted ? "accepted" : "refused")}
            </Status>
            <p>{t(`reasons.${result.reason}`)}</p>
            {onAdd && ["not_listed", "no_domain"].includes(result.reason) && (
              <Button size="small" className="mt-2" onClick={() => onAdd(asked)}>
                {t("add")}
              </Button>
            )}
          </div>
        )}
      </div>
      {test.error && <Failure error={test.error} />}
    </Section>
  );
}
