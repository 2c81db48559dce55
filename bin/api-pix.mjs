import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeIfChanged } from "./files.mjs";
import { root } from "./settings.mjs";

const folder = join(root, "lib/rails/pix/bacen");

/** Of the official document, what a provider answers or sends that is read. */
const READ = [
  ...["CobCompleta", "Pix", "PixConsultados", "Devolucao", "Problema", "RecCompleta", "CobRCompleta"],
  ...["PayloadLocationRecGerada", "WebhookCompleto", "RecNotification", "CobRNotification"],
];

/** @typedef {Record<string, any>} Schema */
/** @typedef {{ properties: Record<string, Schema>, required: Set<string> }} Members */

/**
 * Writes schemas.generated.ts of the `bacen` rail: the zod schemas of what a provider answers, from the Central Bank's own
 * document. An object of several parts (`allOf`, `oneOf`) becomes one object with the members of all.
 *
 * The faults of the document are repaired in api-pix.json, which lists them in its `info`; tests hold our requests against the
 * same file. It grows, so some of its rules are read loosely: texts may be longer than it says, and codes of reasons may be
 * new ones.
 */
export function writeApiPix() {
  const { components } = JSON.parse(readFileSync(join(folder, "api-pix.json"), "utf8"));
  /** @type {Map<string, string>} */
  const written = new Map();

  for (const name of READ) write(name);
  const lines = [
    "// Made by `npm run generate` from api-pix.json. Not to be edited.",
    'import { z } from "zod";',
    ...[...written].map(
      ([name, text]) => `\nexport const ${name} = ${text};\nexport type ${name} = z.infer<typeof ${name}>;`,
    ),
  ];
  writeIfChanged(join(folder, "schemas.generated.ts"), `${lines.join("\n")}\n`);

  /** @param {string} name */
  function write(name) {
    if (written.has(name)) return;
    const text = zodOf(components.schemas[name]); // what it refers to is written before it
    written.set(name, text);
  }

  /** @param {Schema} schema @returns {string} */
  function zodOf(schema) {
    if (schema.$ref) {
      const name = nameOf(schema.$ref);
      if (isObject(schema)) {
        write(name);
        return name;
      }
      return zodOf(components.schemas[name]);
    }
    if (isObject(schema)) return objectOf(membersOf(schema));
    const { type, items, enum: values, pattern, minimum, maxLength, format } = merged(schema);
    if (type === "array") return `z.array(${zodOf(items)})`;
    if (values && maxLength === undefined) return `z.enum(${JSON.stringify(values)})`;
    if (type === "integer") return `z.int()${minimum === undefined ? "" : `.min(${minimum})`}`;
    if (type === "boolean") return "z.boolean()";
    if (type !== "string") throw new Error(`No schema for ${JSON.stringify(schema)}`);
    if (format === "date") return "z.iso.date()";
    return pattern ? `z.string().regex(${regexOf(pattern)})` : "z.string()";
  }

  /** @param {Members} members */
  function objectOf({ properties, required }) {
    const members = Object.entries(properties).map(
      ([name, schema]) => `${name}: ${zodOf(schema)}${required.has(name) ? "" : ".optional()"}`,
    );
    return `z.object({ ${members.join(", ")} })`;
  }

  /** @param {Schema} schema @returns {boolean} */
  function isObject(schema) {
    const { $ref, type, properties, allOf = [], oneOf = [], anyOf = [] } = schema;
    if (type === "string") return false;
    if ($ref) return isObject(components.schemas[nameOf($ref)]);
    return properties !== undefined || [...allOf, ...oneOf, ...anyOf].some(isObject);
  }

  /** The members of an object in all its parts. @param {Schema} schema @returns {Members} */
  function membersOf(schema) {
    if (schema.$ref) return membersOf(components.schemas[nameOf(schema.$ref)]);
    const parts = [...(schema.allOf ?? []).map(membersOf), oneOf([...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])];
    /** @type {Members} */
    const own = { properties: schema.properties ?? {}, required: new Set(schema.required) };
    return joined([own, ...parts]);
  }

  /** What may be one of several: all of their members, of which those are required that each requires. @param {Schema[]} choices */
  function oneOf(choices) {
    const all = choices.map(membersOf);
    const { properties } = joined(all);
    const [first = { required: new Set() }, ...others] = all;
    return {
      properties,
      required: new Set([...first.required].filter((name) => others.every((one) => one.required.has(name)))),
    };
  }

  /** @param {Members[]} parts @returns {Members} */
  function joined(parts) {
    /** @type {Record<string, Schema>} */
    const properties = {};
    for (const { properties: more } of parts) {
      for (const [name, schema] of Object.entries(more)) {
        properties[name] = properties[name] ? { allOf: [properties[name], schema] } : schema;
      }
    }
    return { properties, required: new Set(parts.flatMap(({ required }) => [...required])) };
  }

  /** A schema that is no object, with what its parts say. @param {Schema} schema @returns {Schema} */
  function merged(schema) {
    if (schema.$ref) return merged(components.schemas[nameOf(schema.$ref)]);
    return Object.assign({}, schema, ...(schema.allOf ?? []).map(merged));
  }
}

/** @param {string} reference */
const nameOf = (reference) => reference.slice(reference.lastIndexOf("/") + 1);

/** @param {string} pattern */
const regexOf = (pattern) => `/${pattern}/`;
