import type { z } from "zod";
import { inQueueOf } from "@/lib/db";
import { env } from "@/lib/env";
import { json } from "@/lib/http/answer";
import { parseJson, readText } from "@/lib/http/body";
import type { Handler } from "@/lib/http/methods";
import { isSameSecret } from "@/lib/rails/same-secret";

/**
 * Guards a route of the simulated PSP or acquirer: it answers only callers with the credential. All of them share a few
 * connections, because it stands for a program elsewhere.
 */
export function guarded(handler: Handler): Handler {
  return async (request, context) => {
    const { 1: token = "" } = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (!isSameSecret(token, env.SIMULATOR_SECRET)) return json(401, { message: "Credencial ausente ou inválida." });
    return inQueueOf("simulator", () => handler(request, context));
  };
}

/** The parsed JSON body, or the response that refuses it. */
export async function bodyBy<T>(schema: z.ZodType<T>, request: Request): Promise<T | Response> {
  const { data, error } = schema.safeParse(parseJson(await readText(request), request.headers.get("content-type")));
  return error ? invalid(error) : (data as T);
}

/** A 422 that names the first fault and quotes nothing of the request. */
export function invalid({ issues: [issue] }: z.ZodError): Response {
  return json(422, { message: issue ? `${issue.path.join(".") || "corpo"}: ${issue.message}` : "Dados inválidos." });
}
