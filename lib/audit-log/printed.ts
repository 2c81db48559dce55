/**
 * JSON as PostgreSQL 14 to 18 print jsonb, whatever its blanks and the order of its members are: members by the length of
 * their names in bytes, then by the bytes; one blank after each comma and colon; numbers as they are written.
 */
export function printed(json: string): string {
  const tokens = json.match(TOKENS) ?? [];
  let at = 0;
  const list = (end: string, read: () => string): string[] => {
    const items: string[] = [];
    while (tokens[at] !== end) {
      items.push(read());
      if (tokens[at] === ",") at += 1;
    }
    at += 1;
    return items;
  };
  function value(): string {
    const token = tokens[at++] ?? "";
    if (token === "[") return `[${list("]", value).join(", ")}]`;
    if (token === "{") return `{${list("}", member).sort(byName).join(", ")}}`;
    return token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;
  }
  function member(): string {
    const name = value();
    at += 1; // the colon
    return `${name}: ${value()}`;
  }
  return value();
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

const byName = (one: string, other: string) => {
  const [a, b] = [nameOf(one), nameOf(other)];
  return a.length - b.length || Buffer.compare(a, b);
};

const nameOf = (member: string) => Buffer.from(JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(member)?.[0] ?? '""'));
