import { z } from "zod";
import { type Faults, invalid } from "@/lib/errors";

/** An answer names at most `MAX_FAULTS` faults, and shows at most `MAX_NAME` characters of a name. */
const MAX_FAULTS = 100;
const MAX_NAME = 64;

/** Parses an input by a schema. Throws a 422 that names the path of each wrong field. */
export function check<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const { data, error } = schema.safeParse(value);
  const faults: Faults = Object.create(null);
  if (!error) {
    for (const path of unstorable(data)) faults[path] = ["Contém um caractere que não pode ser guardado."];
    if (Object.keys(faults).length === 0) return data;
    throw invalid(faults);
  }
  for (const issue of error.issues.slice(0, MAX_FAULTS)) {
    const path = issue.path.map((name) => String(name).slice(0, MAX_NAME)).join(".") || "body";
    faults[path] = [...(faults[path] ?? []), issue.message];
  }
  throw invalid(faults);
}

/** Paths of texts and names with a null character or half a surrogate pair, which PostgreSQL cannot hold. */
function unstorable(value: unknown, path = "", found: string[] = []): string[] {
  if (typeof value === "string" && !isStorable(value)) found.push(path || "body");
  if (value === null || typeof value !== "object") return found;
  for (const [name, member] of Object.entries(value)) {
    if (isStorable(name)) unstorable(member, path ? `${path}.${name}` : name, found);
    else found.push(path || "body");
  }
  return found;
}

const isStorable = (text: string) => !text.includes("\0") && text.isWellFormed();

/** The sentence, for people, about what a member must be. A schema may have a sentence of its own. */
z.config({ customError: explain });

type Issue = Parameters<NonNullable<ReturnType<typeof z.config>["customError"]>>[0];

const types: Record<string, string> = {
  string: "um texto",
  number: "um número",
  int: "um número inteiro",
  boolean: "true ou false",
  array: "uma lista",
  object: "um objeto",
  record: "um objeto",
};

const units: Record<string, string> = { string: " caracteres", array: " itens" };

function explain(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "Campo obrigatório.";
      return `Tipo inválido: envie ${types[issue.expected] ?? "outro valor"}.`;
    case "too_small":
      return `O mínimo é ${issue.minimum}${units[issue.origin] ?? ""}.`;
    case "too_big":
      return `O máximo é ${issue.maximum}${units[issue.origin] ?? ""}.`;
    case "invalid_value":
      return `Use um destes valores: ${issue.values.join(", ")}.`;
    case "invalid_format":
      return "Formato inválido.";
    default:
      return "Valor inválido.";
  }
}
