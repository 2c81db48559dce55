import { redirect } from "next/navigation";
import { readLastAccount, withoutAccount } from "@/lib/auth/session";

export default async function Landing() {
  const account = await readLastAccount();
  redirect(account ? `/${account}/home` : await withoutAccount());
}
