import { redirect } from "next/navigation";

/** The console's first page is the accounts'. */
export default function OperatorPage() {
  redirect("/operator/accounts");
}
