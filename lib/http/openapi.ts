import { z } from "zod";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { AppError, type ErrorCode, errorBody, errors, invalid } from "@/lib/errors";
import { type Authentication, acceptsKey, type Contract, codesOf } from "@/lib/http/contract";
import type { Endpoint } from "@/lib/http/endpoint";
import { METHODS } from "@/lib/http/methods";

type Route = { path: string; module: object };

const SESSION = "The dashboard's own. Its calls name the account that the page shows in the header X-Account.";

const MESSAGE = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };
const CODED = {
  type: "object",
  properties: {
    message: { type: "string" },
    error: { type: "string" },
    error_description: { type: "string" },
    action: { type: "string" },
    refused_reason: { type: "string" },
    identifier: { type: "string" },
  },
  required: ["message", "error"],
};
const INVALID = {
  type: "object",
  properties: {
    message: { type: "string" },
    errors: { type: "object", additionalProperties: { type: "array", items: { type: "string" } } },
  },
  required: ["message", "errors"],
};

/** The paths that only our own pages call. */
const OURS = /^\/api\/(dashboard|operator)\//;

/** What is sent to webhooks under one name. */
export type DocumentedWebhook = {
  key: string;
  tag: string;
  summary: string;
  description: string;
  /** The names of its headers. */
  headers: readonly string[];
  schema: z.ZodType;
  example: object;
};

/** The OpenAPI 3.1 document of every route that partners may call, and of what they are sent. `url` is where the API answers. */
export function openapi(routes: readonly Route[], url: string, sent: readonly DocumentedWebhook[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { path, module } of routes) {
    if (OURS.test(path)) continue;
    for (const method of METHODS) {
      const contract = (module as Record<string, Partial<Endpoint> | undefined>)[method]?.contract;
      if (!contract) continue;
      const name = path.replaceAll("[", "{").replaceAll("]", "}");
      paths[name] = { ...paths[name], [method.toLowerCase()]: operation(contract, method, name) };
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Repasse",
      version: "1.0.0",
      description: "Payments for sellers in Brazil: Pix, cards, subscriptions, splits, webhooks.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url }],
    tags: [...new Set(Object.values(paths).flatMap(tagsOf))].map((name) => ({
      name,
      description: `${name} operations`,
    })),
    paths,
    webhooks: Object.fromEntries(sent.map((one) => [one.key, { post: received(one) }])),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "POST /api/partner/v1/auth-token mints it." },
        basic: { type: "http", scheme: "basic", description: "The API key, in Base64; old API only." },
        publicKey: {
          type: "apiKey",
          in: "header",
          name: "X-Public-Key",
          description: "From a page of a registered domain; never with credentials.",
        },
        session: { type: "apiKey", in: "cookie", name: sessionCookieName(), description: SESSION },
      },
      schemas: { Message: MESSAGE, Coded: CODED, Invalid: INVALID },
    },
  };
}

const tagsOf = (methods: object) => Object.values(methods).flatMap(({ tags }: { tags: string[] }) => tags);

function operation(contract: Contract, method: string, path: string) {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string", maxLength: 200 },
    })),
    ...queryParameters(contract.query),
    ...(acceptsKey(contract, method) ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[^a-zA-Z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary: contract.summary,
    ...(contract.description && { description: contract.description }),
    tags: [contract.tag],
    security: security(contract),
    ...(parameters.length > 0 && { parameters }),
    ...(contract.body && {
      requestBody: {
        required: isRequired(contract.body),
        content: { "application/json": { schema: schemaOf(contract.body, "input") } },
      },
    }),
    ...(contract.file && {
      requestBody: {
        required: true,
        content: Object.fromEntries(contract.file.map((type) => [type, { schema: FILE }])),
      },
    }),
    responses: responses(contract, method),
  };
}

/** The call that a receiver gets. OpenAPI ignores a parameter of the name Authorization, so that header is one of the description. */
function received({ key, tag, summary, description, headers, schema, example }: DocumentedWebhook) {
  const bearer = "The token is sent as `Authorization: Bearer`.";
  return {
    operationId: `receive${key.replaceAll(/(?:^|[^a-zA-Z0-9]+)(\w)/g, (_, next: string) => next.toUpperCase())}`,
    summary,
    description: headers.includes("authorization") ? `${description} ${bearer}` : description,
    tags: [tag],
    security: [],
    parameters: headers
      .filter((name) => name !== "authorization")
      .map((name) => ({ name, in: "header", required: true, schema: { type: "string" } })),
    requestBody: {
      required: true,
      content: { "application/json": { schema: schemaOf(schema, "output"), example } },
    },
    responses: {
      "2XX": { description: "It was received, and is not sent again" },
      410: { description: "The webhook is disabled" },
      "4XX": { description: "It is sent again later" },
    },
  };
}

const FILE = { type: "string", format: "binary" };

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key with the same request gives the first answer again.",
  schema: { type: "string", maxLength: 255 },
};

/** Whether a body is required: an empty one stands for `{}`, which this schema refuses. */
const isRequired = (body: z.ZodType) => !body.safeParse({}).success;

const schemes: Record<Authentication, object[]> = {
  none: [],
  account: [{ bearer: [] }, { session: [] }],
  legacy: [{ bearer: [] }, { basic: [] }],
  session: [{ session: [] }],
  staff: [{ session: [] }],
  person: [{ session: [] }],
  public_key: [{ publicKey: [] }],
};

const security = ({ auth = "account" }: Contract) => schemes[auth];

function queryParameters(query: z.ZodType | undefined) {
  if (!query) return [];
  const { properties = {}, required = [] } = schemaOf(query, "input") as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

/** The success and every failure that this operation can answer, by status. */
function responses(contract: Contract, method: string) {
  const codes = codesOf(contract, method);
  const content = contract.attachment
    ? { "application/octet-stream": { schema: FILE } }
    : contract.csv
      ? { "text/csv": { schema: { type: "string" } } }
      : { "application/json": { schema: schemaOf(contract.response, "output") } };
  const byStatus: Record<string, object> = {
    [contract.status ?? 200]: { description: method === "GET" ? "The record or list" : "Done", content },
    ...(contract.goesOn && { 202: { description: "The work goes on", content } }),
  };
  for (const code of codes) {
    const [status] = errors[code];
    const named = [...codes].filter((other) => errors[other][0] === status);
    const kinds = [...new Set(named.map(kindOf))].map((kind) => ({ $ref: `#/components/schemas/${kind}` }));
    const schema = kinds.length === 1 ? kinds[0] : { anyOf: kinds };
    byStatus[status] = { description: named.join(", "), content: { "application/json": { schema } } };
  }
  return byStatus;
}

/** The form of body in which a code is answered. */
function kindOf(code: ErrorCode): "Invalid" | "Coded" | "Message" {
  const { body } = errorBody(invalidOr(code), "");
  return "errors" in body ? "Invalid" : "error" in body ? "Coded" : "Message";
}

const invalidOr = (code: ErrorCode) => (code === "validation_failed" ? invalid({}) : new AppError(code));

/** A zod schema as JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
function schemaOf(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}
