"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { type ApiForm, useApiForm } from "@/components/api-form";
import { notesQuery, writeNote } from "@/components/operator/queries";
import { Form, Submit, TextAreaField } from "@/components/ui/form";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import type { NoteBody } from "@/lib/account-notes/schema";

const MAX_NOTE = 2_000;

/** What the staff wrote down about a seller, which the seller does not read. */
export function SellerNotes({ id }: { id: string }) {
  const t = useTranslations("operator.notes");
  const notes = notesQuery(id);
  const result = useQuery(notes);
  const form: ApiForm<NoteBody> = useApiForm<NoteBody, NoteBody, unknown>({
    schema: () => import("@/lib/account-notes/schema").then(({ NoteBody }) => NoteBody),
    defaultValues: { text: "" },
    send: (body) => writeNote(id, body),
    refresh: notes.queryKey,
    done: t("written"),
    onSuccess: () => form.reset(),
  });
  return (
    <Section title={t("title")}>
      <Form form={form} className="mb-4">
        <TextAreaField
          form={form}
          name="text"
          label={t("text")}
          help={t("help")}
          fault={t("fault")}
          maxLength={MAX_NOTE}
        />
        <Submit form={form} look="secondary">
          {t("write")}
        </Submit>
      </Form>
      <Loaded result={result}>
        {({ data }) => (
          <ul>
            {data.map(({ id, text, written_by, created_at }) => (
              <li key={id} className="grid gap-1 border-t py-3">
                <p className="wrap-anywhere whitespace-pre-line">{text}</p>
                <p className="text-caption text-muted">
                  {written_by} · <Time at={created_at} real />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
