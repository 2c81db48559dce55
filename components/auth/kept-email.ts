const NAME = "entry-email";

/** Keeps the e-mail that was typed for the other forms of this tab: sign-in, sign-up and a forgotten password. */
export function keepEmail(email: string): void {
  try {
    sessionStorage.setItem(NAME, email.slice(0, 254));
  } catch {
    // a browser without storage: the e-mail is typed again
  }
}

/** The e-mail that was typed before in this tab, or an empty text. */
export function keptEmail(): string {
  try {
    return sessionStorage.getItem(NAME) ?? "";
  } catch {
    return "";
  }
}
