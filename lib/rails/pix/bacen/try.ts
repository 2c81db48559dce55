import { X509Certificate } from "node:crypto";
import { newAlphanumeric } from "@/lib/ids";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import { answered, bacenClient, done, refusalOf } from "@/lib/rails/pix/bacen/client";
import { CobGerada } from "@/lib/rails/pix/bacen/schemas.generated";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";

/** What keeps the settings of a PSP from being used; `reason` is the PSP's own text, or what is wrong with its answer. */
export type Fault = { at: "reach" | "refused" | "answer"; reason: string };

/**
 * Tries settings as they will be used: gets a token, has a charge of one cent made and removes it. Null where all of it
 * worked.
 */
export async function tryBacen(provider: string, settings: BacenSettings): Promise<Fault | null> {
  const ask = bacenClient(provider, () => settings);
  const path = `/cob/${newAlphanumeric(32)}`;
  const body = { calendario: { expiracao: 60 }, valor: { original: "0.01" }, chave: settings.pix_key };
  try {
    const answer = await ask(path, { method: "PUT", body, timeoutMs: timeouts.callMs });
    if (answer.status === UNREACHED) return { at: "reach", reason: "" };
    const refusal = refusalOf(answer);
    if (refusal) return { at: "refused", reason: refusal.reason };
    if (!answered(CobGerada, answer).pixCopiaECola) return { at: "answer", reason: "pixCopiaECola" };
    done(await ask(path, { method: "PATCH", body: { status: "REMOVIDA_PELO_USUARIO_RECEBEDOR" } }));
    return null;
  } catch (error) {
    return { at: "answer", reason: (error as Error).message };
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
