import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { Security } from "@/lib/users/schema";
import { readSecurity } from "@/lib/users/sessions";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "How the session's person signs in", tag: "Security", auth: "person", response: Security },
    ({ caller }) => readSecurity(caller),
  ),
});
