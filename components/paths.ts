import type { pages, routes } from "@/app/routes.generated";

/** `/webhooks/[id]` with any text in place of its parameters. A catch-all is no route. */
type Filled<P extends string> = P extends `${string}[...${string}`
  ? never
  : P extends `${infer Before}[${string}]${infer After}`
    ? `${Before}${string}${Filled<After>}`
    : P;

/** A route of our own API. A path that no route has does not compile. */
export type ApiPath = Extract<Filled<(typeof routes)[number]["path"]>, `/api/${string}`>;

type WithoutAccount<P extends string> = P extends `/[account]${infer Page}` ? Page : never;
type WithQuery<P extends string> = P | `${P}?${string}`;

/** The path of a dashboard's page without its account: "/transactions?status=pending". */
export type AccountPath = WithQuery<Filled<WithoutAccount<(typeof pages)[number]["path"]>>>;
