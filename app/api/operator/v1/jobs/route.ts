import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readWork } from "@/lib/work/read";
import { Works } from "@/lib/work/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "What is due or fails, of each worker", tag: "Operator", auth: "staff", response: Works },
    () => readWork(),
  ),
});
