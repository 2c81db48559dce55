"use client";
import { useParams } from "next/navigation";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { AuditList, type AuditProps, recordLink } from "@/components/audit/list";
import { Back } from "@/components/operator/back";
import { PageLink } from "@/components/ui/page-link";
import type { AuditEntry } from "@/lib/audit-log/schema";

/** Who did what in an account, or, without one, what the staff itself did, newest first. */
export function StaffAudit({ source }: AuditProps) {
  const t = useTranslations("audit");
  const { id } = useParams<{ id?: string }>();
  return (
    <>
      {id && <Back href={`/operator/accounts/${id}`}>{t("account")}</Back>}
      <AuditList source={source} account={null} linkOf={(entry) => staffLinkOf(entry, id)} />
    </>
  );
}

/** The pages that the staff has of a seller's records. */
function staffLinkOf({ record }: AuditEntry, account: string | undefined): ReactNode {
  const href =
    record?.subject === "mail"
      ? `/operator/mails/${record.id}`
      : account && record?.subject === "transaction"
        ? `/operator/accounts/${account}/transactions/${record.id}`
        : account && record?.subject === "refund"
          ? `/operator/refunds/${account}/${record.id}`
          : null;
  return href && <StaffLink href={href} />;
}

function StaffLink({ href }: { href: string }) {
  const t = useTranslations("audit");
  return (
    <p>
      <PageLink href={href} className={recordLink}>
        {t("open")}
      </PageLink>
    </p>
  );
}
