import { readContext } from "@/lib/accounts/read";
import { forAccount, prisma } from "@/lib/db";
import type { Intent } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { InviteInput } from "@/lib/splits/schema";
import { acceptSplit } from "@/lib/subscription-splits/answer";
import { inviteToPlan } from "@/lib/subscription-splits/invite";

/**
 * Gives the demo's seller a product with two plans: one is shared with the recipient, and a guest is invited to a part of
 * the other. A seller that has a product keeps what it has.
 */
export async function seedCatalogue(seller: string, recipient: string, guest: string): Promise<void> {
  const [account, partner] = [await sandboxOf(seller), await sandboxOf(recipient)];
  if ((await forAccount(account.id, (tx) => tx.product.count())) > 0) return;
  const club = { name: "Clube do Café", description: "Café torrado na semana, todo mês em casa." };
  const { data: product } = await createProduct(account, ProductInput.parse(club), newIntent());
  const offer = async (plan: object, email: string, percentage: string) => {
    const input = PlanInput.parse({ ...plan, billing_method: "qr_code" });
    const { token } = (await createPlan(account, { ...input, productId: product.reference_id }, newIntent())).data;
    return (await inviteToPlan(account, { ...InviteInput.parse({ email, percentage }), planId: token }, newIntent()))
      .data;
  };
  const { id } = await offer({ name: "Mensal", amount: "49.90", is_default: true }, recipient, "12.50");
  await acceptSplit(partner, { id: String(id) }, newIntent());
  await offer({ name: "Anual", amount: "499.00", periodicity_days: 365 }, guest, "5");
}

const newIntent = (): Intent => ({ idem: undefined, requestId: newId() });

async function sandboxOf(email: string) {
  const { sandboxId } = await prisma().membership.findFirstOrThrow({ where: { user: { email } } });
  const account = await readContext(sandboxId);
  if (!account) throw new Error(`${email} has no sandbox`);
  return account;
}
