import { redirect } from "next/navigation";
import { readLastAccount } from "@/lib/auth/session";

export default async function Landing() {
  const account = await readLastAccount();
  if (account) redirect(`/${account}/home`);
  redirect("/sign-in");
}
