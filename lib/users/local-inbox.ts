import { join } from "node:path";
import { env } from "@/lib/env";
import { isLocal } from "@/lib/net/address";

/** The folder of mails on a server that sends none and is for this machine alone, as a trial is; null on any other. */
export const localInbox = (): string | null =>
  env.MAIL_URL === undefined && isLocal(new URL(env.APP_URL)) ? join(env.DATA_DIR, "mail") : null;
