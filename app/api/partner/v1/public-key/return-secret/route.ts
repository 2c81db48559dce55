import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readReturnSecret } from "@/lib/way-back/return-secret";
import { ReturnSecret, verifying } from "@/lib/way-back/schema";

const DESCRIPTION = `After a payment the page leads to the link's or plan's \`return_url\` with \`reference_id\`, \`status\`, \`t\` and \`signature\`, hex HMAC-SHA256 with this secret over \`<t>.<reference_id>.<status>\`. The secret changes with the public key.

\`\`\`ts
${verifying.typescript}
\`\`\`

\`\`\`sh
${verifying.curl}
\`\`\``;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The secret by which a shop verifies who comes back from a payment",
      description: DESCRIPTION,
      tag: "Payment links",
      scopes: ["cards:write"],
      stepUp: true,
      response: ReturnSecret,
    },
    ({ account }) => readReturnSecret(account),
  ),
});
