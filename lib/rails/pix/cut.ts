/** The first characters of a text, none of them halved. */
export const cut = (text: string, length: number): string => [...text].slice(0, length).join("");
