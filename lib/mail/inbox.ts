import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import MailComposer from "nodemailer/lib/mail-composer";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { isAddress } from "@/lib/mail/clean";
import { composed } from "@/lib/mail/message";
import type { Mailer } from "@/lib/mail/port";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

/** Where the inbox keeps its mails, and how many and for how long. */
const folder = () => join(env.DATA_DIR, "mail");
const MAX_FILES = 2_000;
const KEPT_MS = 30 * DAY_MS;
/** How many mails are written between two looks at what is over. */
const LOOK_EVERY = 100;

let written = 0;

/** Writes mails where the operator reads them: a file each, and the row itself, whose content stays. */
export const inbox: Mailer = {
  name: "inbox",
  keeps: true,
  async send(message) {
    if (!isAddress(message.to)) return { error: "invalid_address", answer: null };
    try {
      const bytes = await new MailComposer(composed(message)).compile().build();
      await mkdir(folder(), { recursive: true, mode: 0o700 });
      const file = join(folder(), `${realNow().toISOString().replace(/[:.]/g, "-")}-${message.id}.eml`);
      await writeFile(`${file}.part`, bytes, { mode: 0o600 });
      await rename(`${file}.part`, file);
      if (written++ % LOOK_EVERY === 0)
        await removeOld().catch((error) => log.warn({ error }, "old mails were not removed"));
      return { error: null };
    } catch (error) {
      log.warn({ mailId: message.id, error }, "a mail could not be written to the inbox");
      return { error: "not_written", answer: (error as NodeJS.ErrnoException).code ?? null };
    }
  },
};

/** Removes the files that are too old, and the oldest of too many. Their names begin with their time. */
async function removeOld() {
  const names = (await readdir(folder())).filter((name) => name.includes(".eml")).sort();
  const since = new Date(realNow().getTime() - KEPT_MS).toISOString().replace(/[:.]/g, "-");
  const over = names.filter((name, place) => name < since || place < names.length - MAX_FILES);
  for (const name of over) await rm(join(folder(), name), { force: true });
}
