import { readContext } from "@/lib/accounts/read";
import { forAccount } from "@/lib/db";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { InviteInput } from "@/lib/splits/schema";
import { acceptSplit } from "@/lib/subscription-splits/answer";
import { inviteToPlan } from "@/lib/subscription-splits/invite";

type Sandbox = { sandboxId: string; email: string };

/**
 * Gives the demo's seller a product with two plans: one is shared with the recipient, and of the other a third seller is
 * invited to a part. A seller that has a product keeps what it has.
 */
export async function seedCatalogue(seller: Sandbox, recipient: Sandbox, guest: Sandbox): Promise<void> {
  const account = await readContext(seller.sandboxId);
  const partner = await readContext(recipient.sandboxId);
  const isSeeded = await forAccount(seller.sandboxId, (tx) =>
    tx.product.count({ where: { accountId: seller.sandboxId } }),
  );
  if (!account || !partner || isSeeded) return;
  const product = ProductInput.parse({
    name: "Clube do Café",
    description: "Grãos torrados na semana, todo mês em casa.",
  });
  const { reference_id: productId } = (await createProduct(account, product)).data;
  const plan = async (input: object) => (await createPlan(account, PlanInput.parse(input), productId)).data.token;
  const invite = async (planId: string, email: string, percentage: string) =>
    (await inviteToPlan(account, planId, InviteInput.parse({ email, percentage }))).data.id;
  const monthly = await plan({ name: "Mensal", amount: "49.90", billing_method: "qr_code", is_default: true });
  const yearly = await plan({ name: "Anual", amount: "499.00", billing_method: "qr_code", periodicity_days: 365 });
  const id = await invite(monthly, recipient.email, "12.50");
  await acceptSplit(partner, { id: String(id) }, { by: recipient.sandboxId, ip: "127.0.0.1" });
  await invite(yearly, guest.email, "5");
}
