import { signInRoute } from "@/lib/auth/sign-in-route";

const handler = signInRoute("seller");

export { handler as GET, handler as POST };
