"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { notificationsQuery } from "@/components/settings/queries";
import { FieldsSkeleton } from "@/components/settings/skeleton";
import { SettingsHead } from "@/components/settings/tabs";
import { CheckOption, Form, Submit } from "@/components/ui/form";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { topics as allTopics, type Notifications } from "@/lib/notifications/schema";

/** What the person who is signed in is mailed about. */
export function NotificationsPage() {
  const { account } = useSession();
  const result = useQuery(notificationsQuery(account.id));
  return (
    <>
      <SettingsHead />
      <Loaded result={result} skeleton={<FieldsSkeleton />}>
        {(notifications) => <Choice notifications={notifications} />}
      </Loaded>
    </>
  );
}

function Choice({ notifications: { topics } }: { notifications: Notifications }) {
  const t = useTranslations("notifications");
  const api = useApi();
  const { user } = useSession();
  const form = useApiForm({
    schema: () => import("@/lib/notifications/schema").then((module) => module.Notifications),
    defaultValues: { topics },
    send: (body) => api.put("/api/dashboard/v1/notifications", body),
    refresh: notificationsQuery(api.account).queryKey,
    done: t("saved"),
  });
  return (
    <Form form={form}>
      <Section title={t("title")}>
        <p className="mb-5 text-muted">{t("help", { email: user.email })}</p>
        <fieldset className="grid gap-4">
          <legend className="sr-only">{t("title")}</legend>
          {allTopics.map((topic) => (
            <CheckOption
              key={topic}
              value={topic}
              label={t(`topics.${topic}`)}
              help={t(`topicHelp.${topic}`)}
              {...form.register("topics")}
            />
          ))}
        </fieldset>
        <p className="mt-5 text-caption text-muted">{t("always")}</p>
      </Section>
      <Submit form={form}>{t("save")}</Submit>
    </Form>
  );
}
