import { createPrivateKey, X509Certificate } from "node:crypto";
import { AppError, type ErrorCode } from "@/lib/errors";
import { newAlphanumeric } from "@/lib/ids";
import { type Answer, TOO_MANY, timeouts, UNREACHED } from "@/lib/outside/http-client";
import { answered, bacenClient, done, refusalOf } from "@/lib/rails/pix/bacen/client";
import { pagePath } from "@/lib/rails/pix/bacen/pages";
import { CobCompleta } from "@/lib/rails/pix/bacen/schemas.generated";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { realNow } from "@/lib/time/clock";

/**
 * What keeps the settings of a PSP from being used: the code of our error, and where there is one the PSP's own text, or what is
 * wrong with its answer.
 */
export type Fault = {
  code: Exclude<Extract<ErrorCode, `provider_${string}`>, "provider_exists" | "provider_not_found">;
  reason: string;
};

/**
 * Tries settings as they will be used: gets a token, has a charge of one cent made and removes it, and reads what was paid in the
 * last minute, without which no payment would ever be found. Null where all of it worked. Throws `rail_unavailable` with the
 * time to wait where the PSP had too many requests to be asked now, which says nothing of the settings.
 */
export async function tryBacen(provider: string, settings: BacenSettings): Promise<Fault | null> {
  const unusable = faultOfPair(settings);
  if (unusable) return { code: unusable, reason: "" };
  const ask = bacenClient(provider, () => settings);
  const path = `/cob/${newAlphanumeric(32)}`;
  const body = { calendario: { expiracao: 60 }, valor: { original: "0.01" }, chave: settings.pix_key };
  try {
    const answer = await ask(path, { method: "PUT", body, timeoutMs: timeouts.callMs });
    const fault = faultIn(answer, "provider_refused");
    if (fault) return fault;
    if (!answered(Charge, answer).pixCopiaECola) return { code: "provider_answers_otherwise", reason: "pixCopiaECola" };
    const removed = await ask(path, { method: "PATCH", body: { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" } });
    assertServed(removed);
    done(removed);
    const now = realNow();
    const listed = await ask(pagePath("/pix", new Date(now.getTime() - 60_000), now, 0), {
      timeoutMs: timeouts.callMs,
    });
    const unlisted = faultIn(listed, "provider_answers_otherwise");
    if (!unlisted) done(listed);
    return unlisted;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (BROKEN.test(code)) return { code: "provider_certificate_refused", reason: "" };
    return { code: "provider_answers_otherwise", reason: message };
  }
}

/**
 * Why a PSP did not do what it was asked, `code` where it refused it for another reason than who asks; null where it answered.
 * Throws as `assertServed` does.
 */
function faultIn(answer: Answer, code: Fault["code"]): Fault | null {
  assertServed(answer);
  if (answer.status === UNREACHED) return { code: unreachedBy(answer.why ?? ""), reason: "" };
  const refusal = refusalOf(answer);
  if (!refusal) return null;
  const isNotAllowed = answer.status === 401 || answer.status === 403;
  return { code: isNotAllowed ? "provider_not_permitted" : code, reason: refusal.reason };
}

/** What is read of the charge. */
const Charge = CobCompleta.pick({ txid: true, pixCopiaECola: true });

/** Throws for a request that came too soon: it had no turn, or the PSP or its token endpoint answered 429. */
function assertServed({ status, why, retryAfterMs }: Answer): void {
  const isTooSoon = status === TOO_MANY || why === `TOKEN_${TOO_MANY}` || (status === UNREACHED && retryAfterMs);
  if (isTooSoon) throw new AppError("rail_unavailable", retryAfterMs === undefined ? {} : { retryAfterMs });
}

/**
 * A PSP ends the connection of a client whose certificate it does not accept, with an alert of TLS or without a word: one that
 * another authority has signed, one that it has not registered, one that is past, or none.
 */
const BROKEN = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE|ERR_SSL_\w+)$/;
/** The PSP's certificate is of nobody that we trust. */
const NOT_TRUSTED = /^(CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;
/** Who asked for a token is not known, or not with this secret. */
const UNKNOWN_CLIENT = /^TOKEN_(400|401|403)$/;

function unreachedBy(why: string): Fault["code"] {
  if (BROKEN.test(why)) return "provider_certificate_refused";
  if (NOT_TRUSTED.test(why)) return "provider_not_trusted";
  if (UNKNOWN_CLIENT.test(why)) return "provider_client_refused";
  return why.startsWith("TOKEN_") ? "provider_gave_no_token" : "provider_not_reached";
}

/** What is wrong with the client's certificate and its key, before a PSP is asked. */
function faultOfPair({ certificate, private_key, authority }: BacenSettings): Fault["code"] | null {
  if (Boolean(certificate) !== Boolean(private_key)) return "provider_pair_incomplete";
  if (authority && !readCertificate(authority)) return "provider_authority_unreadable";
  if (!certificate || !private_key) return null;
  const read = readCertificate(certificate);
  if (!read) return "provider_certificate_unreadable";
  if (read.endsAt <= realNow()) return "provider_certificate_ended";
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(private_key))
      ? null
      : "provider_key_differs";
  } catch {
    return "provider_key_unreadable";
  }
}

/** Whose a certificate is, and until when it is good. Null for what is no certificate. */
export function readCertificate(pem: string): { subject: string; endsAt: Date } | null {
  try {
    const { subject, validTo } = new X509Certificate(pem);
    return { subject: subject.replaceAll("\n", ", "), endsAt: new Date(validTo) };
  } catch {
    return null;
  }
}
