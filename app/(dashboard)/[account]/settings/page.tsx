import { redirect } from "next/navigation";
import type { InAccount } from "@/lib/auth/session";

/** The settings' first page is the team's. */
export default async function SettingsPage({ params }: InAccount) {
  redirect(`/${(await params).account}/settings/team`);
}
