import { redirect } from "next/navigation";
import { readPageSession } from "@/lib/auth/session";

export default async function Landing() {
  redirect((await readPageSession()) ? "/home" : "/sign-in");
}
