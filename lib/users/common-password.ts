import { invalid } from "@/lib/errors";

/** The passwords that attackers try first. They are loaded lazily, because few processes need them. */
let words: Promise<ReadonlySet<string>> | undefined;

/** A password with fewer different characters than this counts as common. */
const MIN_DISTINCT = 5;

/** Whether a password is a common one, also when digits or marks lengthen it at its ends. */
export async function isCommonPassword(password: string): Promise<boolean> {
  words ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  const common = await words;
  const whole = password.toLowerCase();
  const core = whole.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return new Set(whole).size < MIN_DISTINCT || common.has(whole) || common.has(core);
}

/** Throws 422 at `password` for a common one. */
export async function assertUncommon(password: string): Promise<void> {
  if (!(await isCommonPassword(password))) return;
  throw invalid({ password: ["Esta senha é fácil de adivinhar. Use uma frase só sua."] });
}
