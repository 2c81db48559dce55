import { z } from "zod";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { type SandboxKey, sandboxKeys } from "@/lib/rails/pix/sandbox-keys";
import { bodyBy, guarded } from "@/lib/simulators/guard";
import { ISPB } from "@/lib/simulators/pix/automatic-records";
import { problem } from "@/lib/simulators/pix/problem";
import { PixKeyType } from "@/prisma/client/enums";

/** `…/keys`: who has a key. The key is in the body, because addresses are logged. */
export const keys = methods({ POST: guarded((request, context) => answerOwner(request, context)) });

/** A key as clients of the PSP name it. */
export const Key = z.object({ type: z.enum(PixKeyType), key: z.string().min(1).max(77) });

const Asked = Key.extend({ document: z.string().max(20).optional() });

/** What the table says of a key; undefined of any other. */
export const sandboxKeyOf = ({ type, key }: z.infer<typeof Key>): SandboxKey | undefined =>
  type === "EMAIL" && Object.hasOwn(sandboxKeys, key) ? sandboxKeys[key as keyof typeof sandboxKeys] : undefined;

/** Whose a key is that names no document, if nobody is expected to have it, and who has the key of somebody else. */
const SOMEBODY = "52998224725";
const ANOTHER = "39053344705";

/** This directory has every key: one that is no document itself is of whoever is expected to have it. */
const answerOwner: Handler = async (request) => {
  const body = await bodyBy(Asked, request);
  if (body instanceof Response) return body;
  const { owner } = sandboxKeyOf(body) ?? {};
  if (owner === "nobody") return problem("ChaveNaoEncontrada", "A chave não está registrada.");
  const isDocument = body.type === "CPF" || body.type === "CNPJ";
  const document = isDocument ? body.key : owner === "another" ? ANOTHER : (body.document ?? SOMEBODY);
  const name = document.length === 14 ? "Empresa de Teste Ltda" : "Pessoa de Teste";
  return json(200, { name, document, ispb: ISPB });
};
