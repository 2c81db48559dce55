import { signInRoute } from "@/lib/auth/sign-in-route";

const handler = signInRoute("staff");

export { handler as GET, handler as POST };
