import { centsOf, decimal } from "@/lib/money";
import { timeouts, UNREACHED } from "@/lib/outside/http-client";
import { writeBrCode } from "@/lib/rails/pix/brcode";
import type { DynamicCodes, Issued } from "@/lib/rails/pix/port";
import { railFor } from "@/lib/rails/pix/rails";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { ask } from "@/lib/rails/pix/simulator/ask";

/**
 * Changes the sandbox's rail of this process to one that gets all its codes by asking. Returns a function that undoes it.
 */
export function replaceCodes(codes: DynamicCodes): () => void {
  const rail = railFor("sandbox");
  if (!rail) throw new Error("a sandbox has a rail");
  const before = { requestCode: undefined, findCode: undefined, ...rail };
  Object.assign(rail, { issueCode: undefined, ...codes });
  return () => void Object.assign(rail, before);
}

/** Codes that the simulated PSP makes and that its payers can pay, and what is done before it is asked for one. */
export function simulatedCodes(before: () => Promise<unknown> = async () => {}): DynamicCodes {
  return {
    async requestCode({ txid, amount, validMs, merchantName, merchantCity }) {
      await before();
      const body = {
        calendario: { expiracao: Math.round(validMs / 1000) },
        valor: { original: decimal(amount) },
        chave: PIX_KEY,
      };
      const { status, json } = await ask(`/cob/${txid}`, {
        ...{ method: "PUT", body, signal: AbortSignal.timeout(timeouts.callMs) },
      });
      if (status === UNREACHED) return { status: "lost" };
      if (status !== 201) throw new Error(`The PSP answered ${status} to a request for a code`);
      return issued(json as Cob, { merchantName, merchantCity });
    },

    async findCode({ txid, amount }) {
      const { status, json } = await ask(`/cob/${txid}`, { signal: AbortSignal.timeout(timeouts.findMs) });
      if (status === 404) return null;
      if (status !== 200) throw new Error(`The PSP answered ${status} about a code`);
      const cob = json as Cob;
      if (centsOf(cob.valor.original) !== amount) throw new Error("The PSP answered with another amount");
      return issued(cob, { merchantName: "Loja", merchantCity: "BRASILIA" });
    },
  };
}

type Cob = { valor: { original: string }; location: string };

const issued = ({ valor, location: url }: Cob, merchant: { merchantName: string; merchantCity: string }): Issued => ({
  status: "issued",
  code: writeBrCode({ url, amount: centsOf(valor.original) ?? 0, ...merchant }),
});
