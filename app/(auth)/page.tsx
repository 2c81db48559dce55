import { redirect } from "next/navigation";
import { CONSOLE, readLastAccount, readStaff } from "@/lib/auth/session";

export default async function Landing() {
  const account = await readLastAccount();
  if (account) redirect(`/${account}/home`);
  redirect((await readStaff()) ? CONSOLE : "/sign-in");
}
