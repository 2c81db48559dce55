/** What a PEM file holds, without what tools write around it: its certificates one after another, and its first key. */
export function pemsIn(text: string): { certificates: string; key: string } {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END \1-----/g)];
  const of = (kind: RegExp) => blocks.filter(([, name = ""]) => kind.test(name)).map(([block]) => block);
  return { certificates: of(/^CERTIFICATE$/).join("\n"), key: of(/PRIVATE KEY$/)[0] ?? "" };
}
