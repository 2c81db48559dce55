import { notFound } from "next/navigation";
import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Seller } from "@/components/operator/detail";
import { sellerQuery } from "@/components/operator/queries";
import { requireStaff } from "@/lib/auth/session";
import { readSellerForStaff } from "@/lib/dashboard/seller";
import { isId } from "@/lib/ids";

export const generateMetadata = titled("operator", "account");

export default async function AccountPage({ params }: { params: Promise<{ id: string }> }) {
  await requireStaff();
  const { id } = await params;
  if (!isId(id)) notFound();
  return (
    <Hydrated reads={[[sellerQuery(id), () => readSellerForStaff(id)]]}>
      <Seller id={id} />
    </Hydrated>
  );
}
