/** Whether the page is of the operator's console, which has a sign-in and a session of its own. */
export const isConsole = () => /^\/operator(\/|$)/.test(globalThis.location?.pathname ?? "");
