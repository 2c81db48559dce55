import { readFileSync } from "node:fs";
import { createInstance, getHttpOperationsFromSpec, type IHttpRequest } from "@stoplight/prism-http";

/** A request by the paths of the document, which have no version of the API in them. */
type Sent = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body?: unknown;
};

const operations = getHttpOperationsFromSpec(
  JSON.parse(readFileSync("lib/rails/pix/bacen/api-pix.json", "utf8")) as object,
);

const silent = { info() {}, success() {}, warn() {}, error() {}, debug() {}, trace() {}, child: () => silent };
/** Prism only validates here, so its own answer is none. */
const answer = { _tag: "Right", right: { statusCode: 204 } } as const;
const prism = createInstance(
  {
    isProxy: false,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: false,
    errors: true,
    mock: { dynamic: false },
    upstreamProxy: undefined,
  },
  { logger: silent as never, mock: () => () => answer },
);

/** What of a request is not as the Central Bank's API Pix says, by Prism; empty where all of it is. */
export async function faultsOf({ method, path, query, headers, body }: Sent): Promise<string[]> {
  const request: IHttpRequest = {
    ...{ method: method.toLowerCase() as IHttpRequest["method"], headers, body },
    url: { path, query: Object.fromEntries(query) },
  };
  const judged = await prism.request(request, await operations)();
  if (judged._tag === "Left") return [judged.left.message];
  return judged.right.validations.input.map(({ path: at = [], message }) => `${at.join(".")}: ${message}`);
}
