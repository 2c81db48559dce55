/** Asks the person who they are; resolves to whether they proved it. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asked: Promise<boolean> | null = null;

/** Sets who asks, for as long as the page is open. */
export function askBy(by: Ask | null): void {
  ask = by;
}

/** Asks the person once for all calls that need it at the same time. Resolves to false where nobody can be asked. */
export function proveAgain(): Promise<boolean> {
  asked ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asked = null;
  });
  return asked;
}
