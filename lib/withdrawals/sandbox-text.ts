import { sandboxKeys } from "@/lib/rails/pix/sandbox-keys";

/** How a developer chooses the end of a sandbox's withdrawal, for the reference of the interface (CommonMark). */
export const SANDBOX_TEXT = [
  "In a sandbox, a key of the type EMAIL chooses how a withdrawal goes. One to any other key is accepted, and waits for",
  "`/sandbox/cash-out/{id}/confirm` or `/fail`.",
  "",
  "| pix_key | what becomes of it |",
  "|---|---|",
  ...Object.entries(sandboxKeys).map(([key, { says }]) => `| ${key} | ${says} |`),
].join("\n");
