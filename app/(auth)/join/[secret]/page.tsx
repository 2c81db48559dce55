import { titled } from "@/app/titled";
import { Join } from "@/components/auth/join";
import { readPerson } from "@/lib/auth/session";

export const generateMetadata = titled("join", "title");

export default async function JoinPage() {
  return <Join mine={(await readPerson())?.email ?? null} />;
}
