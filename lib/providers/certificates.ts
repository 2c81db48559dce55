import { readStaff } from "@/lib/accounts/addressee";
import { forAccount, queryOf } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { writeMails } from "@/lib/mail/write";
import { listProviders } from "@/lib/providers/read";
import { readCertificate } from "@/lib/rails/pix/bacen/try";
import { connectedCertificates } from "@/lib/rails/pix/connected";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

/** How many days before its end a certificate is warned of, the last warning first. */
const WARNINGS = [1, 7, 30] as const;

/**
 * Job: mails every admin of the operator's staff that the certificate of a PSP ends soon, once for each of the warnings and
 * certificate. A warning that was missed is not written beside a later one. It is safe to run twice.
 */
export async function warnOfCertificates(): Promise<void> {
  const now = realNow().getTime();
  const { data: providers } = await listProviders();
  for (const { name, title, certificate } of providers) {
    const leftMs = certificate ? Date.parse(certificate.ends_at) - now : Number.POSITIVE_INFINITY;
    const warning = WARNINGS.find((days) => leftMs <= days * DAY_MS);
    if (!certificate || warning === undefined || leftMs <= 0) continue;
    const { ends_at: endsAt } = certificate;
    log.warn({ provider: name, endsAt }, "the certificate of a provider ends soon");
    const content = {
      ...{ template: "certificate_ending" as const, provider: title, days: Math.floor(leftMs / DAY_MS), endsAt },
      url: `${env.APP_URL}/operator/providers/${name}`,
    };
    await forAccount([], async (tx) => {
      const admins = await readStaff(queryOf(tx), "admin");
      const about = `certificate_ending:${name}:${endsAt}:${warning}`;
      await writeMails(
        queryOf(tx),
        admins.map(({ id, to }) => ({ intent: `${about}:${id}`, to, mode: null, accountId: null, content })),
      );
    });
  }
}

/** In how many seconds the certificate of each PSP in use ends; negative where it has ended. */
export const certificateEnds = (): { provider: string; seconds: number }[] =>
  connectedCertificates().flatMap(({ provider, certificate }) => {
    const read = readCertificate(certificate);
    return read ? [{ provider, seconds: (read.endsAt.getTime() - realNow().getTime()) / 1_000 }] : [];
  });
