import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { AppError, errorBody, errors } from "@/lib/errors";
import { catalogues } from "@/messages/catalogues";

/** Our own sources, except what is generated. */
const files = ["app", "bin", "browser", "components", "lib", "prisma", "e2e", "bench"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs)$/.test(entry.name))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  )
  .concat("server.ts", "worker.ts")
  .filter((file) => !/^prisma\/client\/|\.generated\.ts$/.test(file));

const textOf = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const isTest = (file: string) =>
  /\.test\.(ts|mjs)$|^lib\/testing\/|^lib\/webhooks\/testing\.ts$|^e2e\/|^bench\//.test(file);

const IMPORT = /^(?:import|export)\b[^;"]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

type Import = { file: string; target: string };

/**
 * Every import of our sources: our own files as paths from the project's folder ("lib/db"), packages by name ("pg").
 */
const imports: Import[] = [...textOf].flatMap(([file, text]) =>
  [...text.matchAll(IMPORT)].map(([, from, bare, lazy]) => ({
    file,
    target: fromRoot(file, (from ?? bare ?? lazy ?? "").replace(/^@\//, "")),
  })),
);

/** Node runs .mjs files without the alias, so their imports of our own are relative. */
function fromRoot(file: string, target: string) {
  return file.endsWith(".mjs") && target.startsWith(".") ? posix.join(dirname(file), target) : target;
}

type Rule = { why: string; who: RegExp; never: RegExp; except?: readonly (readonly [who: RegExp, target: RegExp])[] };

/** Who may import whom (README, "The map"): each rule with all its exceptions. */
const rules: Rule[] = [
  {
    why: "the domain does not know who calls it",
    who: /^lib\//,
    never: /^(app|browser|components|e2e|bench|server|worker|prisma\/seed)\b/,
  },
  {
    why: "the browser gets shapes, statuses, limits, money and errors, and no other code of the program",
    who: /^(browser|components)\//,
    never: /^(app|lib|prisma|server|worker)\b/,
    except: [
      [/./, /^lib\/([\w-]+\/)?(schema|states|limits|money|errors|calendar)$/],
      [/./, /^lib\/methods\/(methods|periods)$/], // in what methods of payment differ
      [/./, /^lib\/refunds\/funding$/], // whose money a refund takes, so that a page shows what the API will do
      [/./, /^lib\/pan\/(brands|luhn)$/], // what a card's number says by itself
      [/./, /^lib\/withdrawals\/pix-key$/], // how a Pix key is read, likewise
      [/./, /^lib\/typed\/(text|phones|origins)$/], // how what is typed is read, so that a page and the API read it alike
      [
        /^components\/(account\.tsx$|(frame|settings|team|credentials)\/|operator\/person\.tsx$)/,
        /^lib\/auth\/scopes$/,
      ], // the scopes of each role
      [/^components\/paths\.ts$/, /^app\/routes\.generated$/], // the types of paths
    ],
  },
  {
    why: "pages without Next are markup and scripts of their own: nothing of them is React",
    who: /^browser\//,
    never: /^(react|react-dom|next|use-intl|@tanstack)(\/|$)|^components\/(?!(cards\/brand-name|ui\/qr)$)/,
  },
  {
    why: "React knows of the pages without it only how card fields are opened",
    who: /^components\//,
    never: /^browser\/(?!fields\/open$)/,
  },
  {
    why: "a link of a page stays in the account that the page shows",
    who: /^(components|app)\//,
    never: /^(next\/link|components\/ui\/page-link)$/,
    except: [
      [/^components\/ui\/page-link\.tsx$/, /^next\/link$/],
      [/^components\/ui\/link\.tsx$/, /page-link$/],
      [/^components\/operator\//, /page-link$/], // the staff have no account
    ],
  },
  {
    why: "transport and pages hold no rules and no queries: a contract and one call",
    who: /^app\//,
    never: /^(lib\/(db|ledger|jobs|events|vault|testing|rails|states|net)\b|prisma|server|worker)/,
  },
  {
    why: "the domain sees a rail through its port, never an adapter, and calls it through calls",
    who: /^(?!lib\/(rails|simulators)\/)/,
    never:
      /^lib\/rails\/(?!(sent-back|disputes|cards\/(port|acquirers)|pix\/(port|rails|connected|receipt|listed|ask|automatic|payouts|sandbox-keys))$)/,
    except: [[/^lib\/providers\//, /^lib\/rails\/pix\/bacen\/(settings|try)$/]], // who connects a PSP asks for its settings and tries them
  },
  {
    why: "only the list of rails, and that of acquirers, knows which adapters there are",
    who: /^lib\/rails\/\w+\/[\w-]+\.ts$/,
    never: /^lib\/rails\/\w+\/(simulator|cielo|bacen)\//,
    except: [
      [/\/(rails|acquirers)\.ts$/, /\/(simulator|cielo)\/adapter$/],
      [/\/connected\.ts$/, /\/bacen\/(adapter|settings)$/],
    ],
  },
  { why: "Pix knows nothing of cards", who: /^lib\/rails\/pix\//, never: /^lib\/rails\/cards\// },
  { why: "cards know nothing of Pix", who: /^lib\/rails\/cards\//, never: /^lib\/rails\/pix\// },
  {
    why: "what all rails share does not know a single rail",
    who: /^lib\/rails\/[\w-]+\.ts$/,
    never: /^lib\/rails\/\w+\//,
  },
  {
    why: "rails and calls know no noun: a noun defines what its call is",
    who: /^lib\/(rails|outside)\//,
    never:
      /^lib\/(accounts|auth|card-tokens|charges|credentials|dashboard|deposits|earnings|events|ledger|legacy|plans|products|public-keys|splits|subscription-splits|transactions|users|webhooks)\b/,
  },
  {
    why: "the way outside knows no provider and no noun: a noun defines what it watches and what follows",
    who: /^lib\/outside\//,
    never:
      /^lib\/(?!(outside|due|concurrency|lists)\/|(actor|db|errors|idempotency|ids|log|process\/crash-points|monitoring\/metrics|time\/clock|vault\/vault)$|reconcile\/check$)/,
  },
  {
    why: "the simulated PSP and acquirer are other companies: they use nothing of ours",
    who: /^lib\/simulators\//,
    never:
      /^lib\/(?!simulators\/|http\/|rails\/(pix\/(simulator\/agreement|brcode|end-to-end-id|automatic|sandbox-keys)|same-secret|cards\/simulator\/agreement)$|outside\/http-client$|concurrency\/|time\/|typed\/|due\/|(db|env|ids|log|money)$)/,
  },
  {
    why: "a simulated company is reached over HTTP alone",
    who: /^(?!lib\/simulators\/)/,
    never: /^lib\/simulators\//,
    except: [
      [
        /^app\/simulator\/pix\/v1\//,
        /^lib\/simulators\/pix\/(payments|received|devolucoes|infractions|recs|payer|cobs|cobrs|days|keys|payouts)$/,
      ], // its routes
      [/^app\/simulator\/cards\/v1\//, /^lib\/simulators\/cards\/(routes|refunds|chargebacks)$/],
      [/^app\/simulator\/tracking\/v1\//, /^lib\/simulators\/tracking\/orders$/],
      [/^lib\/jobs\/registry\.ts$/, /^lib\/simulators\/(pix|cards)\/notify$/], // its own job
    ],
  },
  {
    why: "our adapters translate, and keep nothing",
    who: /^lib\/rails\/\w+\/\w+\//,
    never: /^lib\/db$/,
  },
  {
    why: "a mail goes out through its port, never by an adapter",
    who: /./,
    never: /^lib\/mail\/(smtp|inbox)$/,
    except: [[/^lib\/mail\/mailers\.ts$/, /./]],
  },
  {
    why: "mails know no noun: who writes one says what it tells",
    who: /^lib\/mail\//,
    never:
      /^lib\/(?!(accounts\/storage|actor|audit\/record-change|concurrency\/(limit|parallel)|time\/(calendar|clock)|process\/crash-points|db|typed\/emails|ledger\/chart|due\/\w+|env|errors|ids|log|methods\/methods|money|net\/address|lists\/pagination|states|vault\/vault)$|mail\/)/,
  },
  {
    why: "the record of changes knows no noun",
    who: /^lib\/audit\//,
    never: /^lib\/(?!(accounts\/storage|actor|events\/outbox|time\/clock|db|ledger\/chart)$)/,
  },
  {
    why: "the edge knows who calls and for which account, and no other noun",
    who: /^lib\/http\//,
    never:
      /^lib\/(?!(http|accounts|auth|due|net|pan|concurrency|lists|locale|monitoring|privacy|rate-limits|time|typed|vault)\/)[\w-]+\//,
  },
  {
    why: "only the edge, callbacks, a simulated company's routes and a shared contract know HTTP",
    who: /^lib\/(?!http\/|callbacks\/|simulators\/|(legacy|subscriptions)\/contracts?\.ts$)/,
    never: /^lib\/http\//,
  },
  {
    why: "a noun writes rows that are due and wakes who waits for them, and only the registry knows who that is",
    who: /^(?!lib\/jobs\/|worker\.ts$)/,
    never: /^lib\/jobs\//,
    except: [
      [/^server\.ts$/, /^lib\/jobs\/(thread|registry)$/], // it runs the worker, and says what is due for it
      [/^lib\/work\/read\.ts$/, /^lib\/jobs\/registry$/], // what is due for each worker, for the staff
      [/^lib\/(reconcile\/runs|differences\/ask)\.ts$/, /^lib\/jobs\/timetable$/], // when it is run next, and that it is run now
    ],
  },
  {
    why: "what people ask for a subscription uses billing, which works out and writes what is charged and knows nobody",
    who: /^lib\/billing\//,
    never: /^lib\/(subscriptions|mandates|deposits|checkout)\//,
  },
  {
    why: "the ledger knows no noun",
    who: /^lib\/ledger\//,
    never: /^lib\/(?!db$|errors$|ids$|ledger\/)/,
    except: [[/\/checks\.ts$/, /^lib\/reconcile\/check$/]], // the type of a check
  },
  {
    why: "what every noun imports imports no noun",
    who: /^lib\/((actor|db|env|ids|money|time\/clock|errors|states|log|concurrency\/pause|vault\/vault|due\/\w+)|events\/emit)\.ts$/,
    never:
      /^lib\/(?!(actor|db|concurrency\/(limit|pause|remember|repeat)|time\/clock|database\/connections|due\/\w+|env|ids|limits|log|net\/address)$)/,
    except: [[/^lib\/events\/emit\.ts$/, /^lib\/events\/subjects$/]], // the names of all events, a type
  },
  {
    why: "what moves records of every noun knows none",
    who: /^lib\/move\.ts$/,
    never: /^lib\/(?!(actor|database\/json-rows|db|due\/wake|events\/(emit|subjects)|ledger\/post|states)$)/,
  },
  {
    why: "the launcher starts the program, and imports nothing of it",
    who: /^(bin|prisma\/engine)\//,
    never: /^(app|browser|components|lib|e2e|bench|prisma\/(client|seed))\b/,
  },
  {
    why: "the program does not know the launcher that starts it",
    who: /^(app|browser|components|lib|server|worker|prisma\/seed)\b/,
    never: /^(bin|prisma\/engine)\//,
    except: [[/^lib\/database\/connections\.ts$/, /^bin\/hosts\.mjs$/]], // which host takes writes, for both
  },
  {
    why: "the worker knows no noun: the registry, a table, names what it runs",
    who: /^lib\/jobs\/(?!registry\.ts$)/,
    never:
      /^lib\/(?!jobs\/(?!registry$)|(database\/connections|db|due\/\w+|env|log|concurrency\/(pause|time-limit)|privacy\/retention)$)/,
  },
  {
    why: "dispatch and deliver know events and receivers, and no noun that events are about",
    who: /^lib\/webhooks\/(bodies|choose|claim|deliver|dispatch|record|run|send)\.ts$/,
    never:
      /^lib\/(?!(accounts\/storage|concurrency\/(coalesce|limit|time-limit)|db|due\/\w+|events\/(consume|subjects?)|ids|log|receivers\/url|states|vault\/vault)$|webhooks\/)/,
  },
  {
    why: "events know nouns through the table of subjects alone",
    who: /^lib\/events\/(?!subjects\.ts$)/,
    never: /^lib\/(?!(actor|env|time\/(clock|schema)|db|due\/\w+|ids|log|webhooks\/schema)$|events\/)/,
  },
  {
    why: "the program does not import what tests are made from",
    who: /./,
    never: /^lib\/(testing\/|webhooks\/testing$)/,
  },
  {
    why: "handlers are plain Request → Response, because Next is only one of the two hosts that call them",
    who: /^(lib\/|app\/.*route\.ts$)/,
    never: /^(next|next-auth|react|react-dom|server-only)(\/|$)/,
    except: [
      [/^lib\/(auth\/session|locale\/texts)\.ts$/, /^(next\/(headers|navigation)|react)$/], // what pages call on the server
      [/^lib\/auth\/(next-auth|session-cookie)\.ts$/, /^next-auth/],
      [/^app\/api\/(operator-)?auth\/\[\.\.\.nextauth\]\/route\.ts$/, /^next(\/server|-auth)$/], // sign-in itself, always Next's
    ],
  },
  {
    why: "one file knows how the database is reached",
    who: /./,
    never: /^(pg|@prisma\/)/,
    except: [
      [/^lib\/(db|database\/connections)\.ts$/, /^(pg|@prisma\/adapter-pg)$/],
      [/^lib\/jobs\/listen\.ts$/, /^pg$/], // a connection that listens
      [/^lib\/outside\/in-progress\.ts$/, /^pg$/], // a connection that shows that a call is under way
      [/^bin\/(client|hosts)\.mjs$/, /^pg$/], // the owner's connections, which the program does not have
      [/^bin\/backup\.mjs$/, /^pg$/], // the protocol of replication
      [/^prisma\/engine\//, /^(pg|@prisma\/)/], // Prisma's own migrations, for those who change the schema
    ],
  },
];

test.each(rules)("imports point one way: $why", ({ who, never, except = [] }) => {
  const mine = imports.filter(({ file }) => !isTest(file) && who.test(file));
  expect(mine.length).toBeGreaterThan(0); // a rule about no import would prove nothing
  const wrong = mine.filter(({ file, target }) => never.test(target) && !isExcused(file, target));
  expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  const unused = except.filter(
    ([whom, what]) => !mine.some(({ file, target }) => never.test(target) && whom.test(file) && what.test(target)),
  );
  expect(unused.map(String), "exceptions that no import needs").toEqual([]);

  function isExcused(file: string, target: string) {
    return except.some(([whom, what]) => whom.test(file) && what.test(target));
  }
});

test("the launcher starts before packages are installed, so it imports each package only when it needs it", () => {
  const AT_START = /^import\b(?:[^;"]*\bfrom)?\s+"([^"]+)"/gm;
  const atStart = [...textOf]
    .filter(([file]) => file.startsWith("bin/") && !isTest(file))
    .flatMap(([file, text]) => [...text.matchAll(AT_START)].map(([, target = ""]) => ({ file, target })));
  expect(atStart.length).toBeGreaterThan(100);
  const packages = atStart.filter(({ target }) => !/^(node:|\.\/)/.test(target));
  expect(packages.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
});

test("below endpoint() nothing makes or reads a Response", () => {
  const below = [...textOf].filter(([file]) => /^lib\/(?!http\/|simulators\/|callbacks\/)/.test(file) && !isTest(file));
  expect(below.length).toBeGreaterThan(50);
  expect(below.filter(([, text]) => /\bResponse\b/.test(text)).map(([file]) => file)).toEqual([]);
});

/** Tables that name every noun so that nothing else must: in the graph of folders each stands alone. */
const TABLES = /^(jobs\/registry|events\/subjects|approvals\/decide)$/;

/** The folder of a file in lib or components, or the file itself where it is in none: "lib/ledger/post" → "ledger". */
function folderOf(path: string): string {
  const module = path.replace(/^(lib|components)\//, "").replace(/\.tsx?$/, "");
  return TABLES.test(module) ? module : (module.split("/")[0] ?? module);
}

const VALUE_IMPORT = /^(?:import|export)\s+(?!type\b)(?:([^;"]*?)\s+from\s+)?"@\/((?:lib|components)\/[^"]+)"/gm;

/** What each folder of a root needs of its others to run; what it only names as a type is left out. */
function neededFolders(root: "lib" | "components"): Map<string, Set<string>> {
  const needs = new Map<string, Set<string>>();
  for (const [file, text] of textOf) {
    if (!file.startsWith(`${root}/`) || isTest(file)) continue;
    const from = folderOf(file);
    for (const [, names = "", target = ""] of text.matchAll(VALUE_IMPORT)) {
      const isTypes = /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names);
      const to = folderOf(target);
      if (target.startsWith(`${root}/`) && !isTypes && to !== from)
        needs.set(from, (needs.get(from) ?? new Set()).add(to));
    }
  }
  return needs;
}

test.each(["lib", "components"] as const)("%s has no circle of folders: none needs one that needs it", (root) => {
  const needs = neededFolders(root);
  expect(needs.size).toBeGreaterThan(10);
  const circles = [...needs.keys()].flatMap((start) => {
    const waysTo = new Map<string, string[]>([[start, [start]]]);
    for (const folder of waysTo.keys()) {
      for (const next of needs.get(folder) ?? []) {
        const way = [...(waysTo.get(folder) ?? []), next];
        if (next === start) return [way.join(" → ")];
        if (!waysTo.has(next)) waysTo.set(next, way);
      }
    }
    return [];
  });
  expect(circles).toEqual([]);
});

test("lib has no circle of files, also not of types: a type that two files share is a leaf of its own", () => {
  const needs = new Map<string, string[]>();
  for (const { file, target } of imports) {
    if (!file.startsWith("lib/") || isTest(file)) continue;
    const from = file.replace(/\.ts$/, "");
    needs.set(from, [...(needs.get(from) ?? []), target]);
  }
  expect(needs.size).toBeGreaterThan(200);
  const circles: string[] = [];
  const done = new Set<string>();
  function walk(file: string, way: readonly string[]) {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (way.includes(file) || done.has(file)) return;
    for (const next of needs.get(file) ?? []) walk(next, [...way, file]);
    done.add(file);
  }
  for (const file of needs.keys()) walk(file, []);
  expect(circles).toEqual([]);
});

/** What a route's write or a page's form calls beside its verb. */
const noVerbs: Record<string, string> = {
  asFirst: "it runs a verb for a visitor's attempt",
  invitesTo: "it makes what createPlan runs in its transaction",
  isProvedByLink: "it only reads",
};

/** The parameters of a function that a file of lib exports, as they are written. */
function parametersOf(file: string, name: string): string[] {
  const text = textOf.get(file) ?? "";
  const start = new RegExp(`^export (?:(?:async )?function ${name}|const ${name} = (?:async )?)\\(`, "m").exec(text);
  if (!start) throw new Error(`${file} exports no function ${name}`);
  const parameters = [""];
  let depth = 0;
  for (let at = start.index + start[0].length; depth >= 0; at += 1) {
    const sign = text[at] ?? "";
    if (/[({[<]/.test(sign)) depth += 1;
    if (/[)}\]]/.test(sign) || (sign === ">" && text[at - 1] !== "=")) depth -= 1;
    if (sign === "," && depth === 0) parameters.push("");
    else if (depth >= 0) parameters.push(parameters.pop() + sign);
  }
  return parameters.map((one) => one.trim()).filter((one) => one !== "");
}

/** Which of a verb's parameters it is: by its type, and also by its name where it is not taken apart. */
function roleOf(parameter: string): string {
  const [, name, type = ""] = /^(\w+|\{[\s\S]*?\}): ([\s\S]+)$/.exec(parameter) ?? [];
  const role = /^(Pick<)?AccountContext\b|^Account$/.test(type) ? "account" : type === "Intent" ? "intent" : "input";
  const isNamed = name === role || name?.startsWith("{");
  return isNamed && !/^(string|number)\b/.test(type) ? role : `${parameter} is neither`;
}

/** The verbs that routes and the checkout's forms call, each with the file that exports it. */
function verbsThatAreCalled(): Map<string, string> {
  const WRITES = /^ {2}(?:POST|PUT|PATCH|DELETE): endpoint\([\s\S]*?(?=^ {2}\w+: |^\}\))/gm;
  const called = new Map<string, string>();
  for (const [file, text] of textOf) {
    const isForm = /^app\/checkout\/.*\/receive\.ts$/.test(file);
    if (!isForm && !/^app\/.*\/route\.ts$/.test(file)) continue;
    const writing = isForm ? text : (text.match(WRITES) ?? []).join("");
    for (const [, names = "", target = ""] of text.matchAll(/^import \{([^}]*)\} from "@\/(lib\/[^"]+)"/gm)) {
      if (isForm ? !target.startsWith("lib/checkout/") : /^lib\/(http|lists)\//.test(target)) continue;
      for (const name of names.split(",").map((one) => one.trim())) {
        const isVerb = /^[a-z]\w*$/.test(name) && !/^(read|list|find)[A-Z]/.test(name) && !noVerbs[name];
        if (isVerb && new RegExp(`\\b${name}\\(`).test(writing)) called.set(name, `${target}.ts`);
      }
    }
  }
  return called;
}

test("a verb is called with (account, input, intent), without what it has no use for", () => {
  const called = verbsThatAreCalled();
  expect(called.size).toBeGreaterThan(45);
  const wrong = [...called].flatMap(([name, file]) => {
    const roles = parametersOf(file, name).map(roleOf);
    const inOrder = ["account", "input", "intent"].filter((role) => roles.includes(role));
    return roles.join() === inOrder.join() ? [] : [`${name} in ${file}: ${roles.join(", ")}`];
  });
  expect(wrong).toEqual([]);
});

/** The files that may write each table: those of its noun, and the exceptions. */
const writers: Record<string, RegExp> = {
  account_documents: /^lib\/account-documents\//,
  account_images: /^lib\/profile\/image\.ts$/,
  account_storage: /^$/, // only its SQL function writes it
  accounts: /^(lib\/(accounts|sellers)\/|lib\/sandbox\/run|prisma\/seed)/, // run moves a sandbox's clock
  users: /^lib\/(users|sellers|staff)\//,
  memberships: /^lib\/(sellers|team)\//,
  team_invitations: /^lib\/team\//,
  approvals: /^lib\/approvals\//,
  recovery_codes: /^lib\/users\//,
  known_devices: /^lib\/users\//,
  sessions: /^lib\/(users\/|team\/|staff\/|auth\/live-session)/, // live-session writes when it was last seen; whoever leaves a team has none
  credentials: /^lib\/(credentials\/|http\/request-log)/, // request-log writes when it was last used
  access_tokens: /^lib\/credentials\//,
  transactions: /^lib\/transactions\/(insert|move)\.ts$/,
  rollups: /^lib\/rollups\//,
  refunds: /^lib\/refunds\//,
  refund_shares: /^lib\/refunds\/(request|postings)\.ts$/,
  withdrawals: /^lib\/withdrawals\//,
  withdrawal_returns: /^lib\/withdrawals\//,
  payout_stops: /^lib\/withdrawals\/stops\.ts$/,
  disputes: /^lib\/disputes\//,
  dispute_blocks: /^lib\/disputes\//,
  dispute_shares: /^lib\/disputes\//,
  dispute_files: /^lib\/disputes\//,
  adjustments: /^lib\/adjustments\/post\.ts$/,
  shares: /^lib\/transactions\/insert\.ts$/, // in the statement that writes their sale
  events: /^lib\/(events\/emit|audit\/record-change)\.ts$/,
  outbox: /^lib\/events\/(emit|consume)\.ts$/,
  outbox_of_consumers: /^lib\/(events\/consume|audit\/record-change)\.ts$/, // a change waits to be linked
  audit_links: /^$/, // only a SQL function of the owner writes it
  audit_marks: /^lib\/audit-log\/publish\.ts$/,
  audit_walks: /^lib\/audit-log\//,
  audit_publications: /^lib\/audit-log\/publish\.ts$/,
  ledger_postings: /^$/, // only SQL functions of the owner write these five
  ledger_entries: /^$/,
  ledger_tail: /^$/,
  ledger_snapshots: /^$/,
  ledger_days: /^$/,
  idempotency_keys: /^lib\/(idempotency|transactions\/insert)\.ts$/, // a cash-in is one statement
  request_log: /^lib\/http\/request-log\.ts$/,
  tracking_integrations: /^lib\/tracking\/save\.ts$/,
  tracking_orders: /^lib\/tracking\//,
  simulator_orders: /^lib\/simulators\/tracking\//,
  webhooks: /^lib\/webhooks\//,
  webhook_previous_tokens: /^lib\/webhooks\/rotate\.ts$/,
  deliveries: /^lib\/webhooks\//,
  delivery_bodies: /^lib\/webhooks\//,
  delivery_attempts: /^lib\/webhooks\//,
  webhook_replays: /^lib\/webhooks\//,
  calls: /^lib\/outside\/(calls|run)\.ts$/,
  callbacks: /^lib\/outside\/inbox\.ts$/,
  watches: /^lib\/outside\/(inbox|watch)\.ts$/, // a callback wakes in the statement that stores it
  account_notes: /^lib\/account-notes\/write\.ts$/,
  account_looks: /^lib\/dashboard\/record-look\.ts$/,
  reconcile_runs: /^lib\/reconcile\/run\.ts$/,
  reconcile_differences: /^lib\/differences\//,
  rail_comparisons: /^lib\/differences\//,
  timed_jobs: /^lib\/jobs\/timetable\.ts$/,
  pix_providers: /^lib\/providers\//,
  provider_pauses: /^lib\/outside\/budget\.ts$/,
  provider_tokens: /^lib\/outside\/token\.ts$/,
  rail_looks: /^lib\/outside\/looks\.ts$/,
  unmatched_receipts: /^lib\/unmatched\//,
  mails: /^lib\/mail\//,
  mail_links: /^lib\/(users|staff)\//,
  rate_limits: /^lib\/rate-limits\//, // what is spent only its SQL function writes
  simulator_pix: /^lib\/simulators\/pix\//,
  simulator_cobs: /^lib\/simulators\/pix\//,
  simulator_recs: /^lib\/simulators\/pix\//,
  simulator_card_refunds: /^lib\/simulators\/cards\//,
  simulator_chargebacks: /^lib\/simulators\//,
  simulator_infractions: /^lib\/simulators\//,
  simulator_devolucoes: /^lib\/simulators\/pix\//,
  simulator_cobrs: /^lib\/simulators\/pix\//,
  simulator_payouts: /^lib\/simulators\/pix\//,
  simulator_payout_returns: /^lib\/simulators\/pix\//,
  products: /^lib\/products\//,
  profile_requests: /^lib\/profile-requests\//,
  product_images: /^lib\/products\/image\.ts$/,
  plans: /^lib\/plans\//,
  plan_versions: /^lib\/plans\//,
  earnings: /^lib\/earnings\//,
  earning_totals: /^lib\/earnings\//,
  plan_splits: /^lib\/subscription-splits\//,
  payment_links: /^lib\/payment-links\//,
  subscribers: /^lib\/billing\/write\.ts$/,
  subscriptions: /^lib\/billing\/write\.ts$/,
  cycles: /^lib\/billing\/write\.ts$/,
  mandates: /^lib\/billing\/write\.ts$/,
  clock_advances: /^lib\/sandbox\//,
  public_keys: /^lib\/public-keys\//,
  card_domains: /^lib\/public-keys\//,
  card_tokens: /^lib\/card-tokens\//,
  stored_cards: /^lib\/(charges\/|billing\/card-call|subscriptions\/replace-card)/,
  card_charges: /^lib\/charges\//,
  simulator_charges: /^lib\/simulators\/cards\//,
  erasures: /^lib\/privacy\//,
};

/**
 * Who writes records of every noun in one transaction: an erasure, which takes out what names a person, and a sandbox's reset,
 * which has what stays go on with another account.
 */
const ofEveryNoun = ["lib/privacy/erase.ts", "lib/sandbox/reset.ts"];

test("a table is written only where its noun lives", () => {
  const models = [
    ...readFileSync("prisma/schema.prisma", "utf8").matchAll(/^model (\w+) \{[\s\S]*?@@map\("(\w+)"\)/gm),
  ];
  const tables = new Map(models.map(([, model = "", table = ""]) => [model[0]?.toLowerCase() + model.slice(1), table]));
  expect([...tables.values()].sort()).toEqual(Object.keys(writers).sort());
  const BY_CLIENT = /\.(\w+)\.(?:create|update|upsert|delete)\w*\(/g;
  const BY_SQL = /\b(?:insert into|update|delete from) (\w+)/g;
  const found: string[] = [];
  for (const [file, text] of textOf) {
    if (isTest(file) || !/^(lib|app|browser|components|prisma)\//.test(file)) continue;
    const written = [
      ...[...text.matchAll(BY_CLIENT)].map(([, model = ""]) => tables.get(model)),
      ...[...text.matchAll(BY_SQL)].map(([, table = ""]) => table),
    ];
    for (const table of written) if (table && writers[table]) found.push(`${file} writes ${table}`);
  }
  expect(found.length).toBeGreaterThan(20);
  const wrong = found.filter((line) => {
    const [file = "", table = ""] = line.split(" writes ");
    return !ofEveryNoun.includes(file) && !writers[table]?.test(file);
  });
  expect(wrong).toEqual([]);
});

test("what depends on the method of payment reads the table of methods, except where the method is the file's own", () => {
  const compares =
    /[mM]ethod(?:Of\([^)]*\))? [!=]== "(pix|card|credit_card|qr_code|pix_automatico)"|method (?:=|<>) '(pix|card)'|when '(pix|card)' then/;
  const comparing = [...textOf].filter(
    ([file, text]) => /^(app|browser|components|lib)\//.test(file) && !isTest(file) && compares.test(text),
  );
  expect(comparing.map(([file]) => file).sort()).toEqual([
    "browser/checkout/browser.ts", // opens the card's fields
    "lib/deposits/checks.ts",
    "lib/deposits/complete.ts",
    "lib/deposits/simulate.ts",
  ]);
});

test("SQL takes sets of a sale's statuses from their table and writes none again", () => {
  const list = /'(completed|disputed|expired|refused|refunded|chargedback)',\s*'\w+'/;
  const files = [...textOf].filter(
    ([file, text]) => /^(lib|app|browser|components)\//.test(file) && !isTest(file) && list.test(text),
  );
  expect(files.map(([file]) => file)).toEqual([]);
});

test("SQL sets a status by a transition of its table, and never by its name", () => {
  const byName = /\bset\b[^;`]*?(?<![\w.])status = (?!\$\{)/;
  const written = [...textOf]
    .filter(([file]) => /^(lib|app)\//.test(file) && !isTest(file) && !/^lib\/simulators\//.test(file))
    .flatMap(([file, text]) =>
      [...text.matchAll(/\bupdate \w+[^`]*?\bset\b([^`]*?)(?:\bfrom\b|\bwhere\b|`)/g)].map(
        ([, set = ""]) => [file, `set ${set}`] as const,
      ),
    )
    .filter(([, set]) => byName.test(set));
  // The status of an HTTP answer, and a transition of only some rows of a statement.
  expect(written.map(([file]) => file)).toEqual(["lib/idempotency.ts", "lib/webhooks/reenable.ts"]);
});

test("dispatch and deliver name no noun: the subject's row reads an event's record", () => {
  const named = [...textOf]
    .filter(([file]) => /^lib\/(webhooks|events)\//.test(file) && !isTest(file))
    .filter(([, text]) => /\bsales?\b|TransactionType|saleOf|"transaction\./i.test(text));
  expect(named.map(([file]) => file)).toEqual([]);
});

test("no source cites a markdown file that the project lacks: it says the rule, or its public source", () => {
  const known = new Set(
    [...["README.md", "bench/README.md"], ...readdirSync("docs").map((name) => `docs/${name}`)].flatMap((path) => [
      path,
      basename(path),
    ]),
  );
  const cited = [...textOf].flatMap(([file, text]) =>
    [...text.matchAll(/[\w/-]+\.md\b/g)].map(([name]) => [file, name] as const),
  );
  expect(cited.length).toBeGreaterThan(0);
  expect(cited.filter(([, name]) => !known.has(name)).map(([file, name]) => `${file} cites ${name}`)).toEqual([]);
});

test("the largest amount, and how cents become text, are written in lib/money alone", () => {
  const written = [...textOf]
    .filter(([file]) => /^(lib|app|browser|components)\//.test(file) && !isTest(file))
    .filter(([, text]) => /\b9(_?999){3}_?99\b|\b999(_?999){3}\b|9999999999\.99|padStart\(3, "0"\)/.test(text));
  expect(written.map(([file]) => file)).toEqual(["lib/money.ts"]);
});

test("the present is asked of lib/time/clock alone, which knows the database's: no time is compared with that of another clock", () => {
  const asks = /\bDate\.now\(\)|\bnew Date\(\)/;
  const asking = [...textOf].filter(
    ([file, text]) => /^(lib|app|server|worker|prisma\/seed)\b/.test(file) && !isTest(file) && asks.test(text),
  );
  expect(asking.map(([file]) => file).sort()).toEqual([
    "lib/time/clock-skew.ts", // compares the two
    "lib/time/clock.ts",
    "lib/way-back/schema.ts", // shows what shops run
  ]);
  const schema = readFileSync("prisma/schema.prisma", "utf8");
  expect(schema.match(/@default\(now\(\)\)|@updatedAt/g), "which Prisma takes from the process").toBeNull();
});

test("a row that was found and locked is changed by its key, never by its place (isPicked in lib/due/find.ts)", () => {
  // A row that changed meanwhile is deleted by the next run.
  const mayName = new Set(["lib/due/find.ts", "lib/jobs/retention.ts", "lib/architecture.test.ts"]);
  const named = files.filter((file) => !isTest(file) && !mayName.has(file) && /\bctid\b/.test(textOf.get(file) ?? ""));
  expect(named).toEqual([]);
});

test("who finds and locks rows that are due is written in lib/due alone", () => {
  // Rows that are no work of a loop are locked by those that change them.
  const written = [...textOf].filter(
    ([file, text]) => /^(lib|app)\//.test(file) && !isTest(file) && /skip locked/.test(text),
  );
  const files = written.map(([file]) => file).filter((file) => !file.startsWith("lib/due/"));
  expect(files).toEqual([]);
});

test("the tenant scope of a statement is set in lib/db.ts, except where the statement itself finds whose it is, or limits its locks", () => {
  const setting = [...textOf].filter(([file, text]) => !isTest(file) && /set_config\('app\.accounts'/.test(text));
  expect(
    setting
      .map(([file]) => file)
      .filter((file) => /^(lib|app)\//.test(file))
      .sort(),
  ).toEqual([
    "lib/card-tokens/tokenize.ts",
    "lib/charges/call.ts",
    "lib/db.ts",
    "lib/http/find-caller.ts",
    "lib/http/page-caller.ts",
    "lib/move.ts",
    "lib/public-keys/public-key.ts",
    "lib/transactions/insert.ts",
  ]);
});

test("no test loads modules a second time: what their first copies left to do later would use the settings of another file", () => {
  const users = [...textOf].filter(([file, text]) => isTest(file) && /vi\.(reset|do)(Modules|Mock)\(/.test(text));
  expect(users.map(([file]) => file)).toEqual([]);
});

describe("the project", () => {
  const NOWHERE =
    /^(utils?|helpers?|services?|repositor(y|ies)|controllers?|managers?|types|constants|hooks|common|shared|misc|core)$/;

  test("has no folder or file whose name says nothing about its content", () => {
    const names = files.flatMap((file) => [...dirname(file).split("/"), basename(file).replace(/\..*$/, "")]);
    expect([...new Set(names)].filter((name) => NOWHERE.test(name))).toEqual([]);
  });

  test("has no barrel: a name is imported from where it is written", () => {
    expect(files.filter((file) => /^index\./.test(basename(file)))).toEqual([]);
    const all = [...textOf].filter(([, text]) => /^export \* /m.test(text)).map(([file]) => file);
    expect(all).toEqual([]);
    const passed = [...textOf]
      .filter(([, text]) => /^export (type )?\{[^}]*\} from /m.test(text))
      .map(([file]) => file);
    // Next's catch-all routes share one handler; the launcher's bundle must export its tasks.
    expect(passed.filter((file) => !/^app\/\w+\/\[\.\.\.path\]\/route\.ts$|^server\.ts$/.test(file))).toEqual([]);
  });

  test("names every import of its own by alias", () => {
    const relative = imports.filter(({ file, target }) => /^\./.test(target) && !/^(e2e|bench)\//.test(file));
    expect(relative.filter(({ target }) => !/\.css$/.test(target))).toEqual([]);
  });

  test("has one class, and default exports only where Next or a tool demands them", () => {
    const classes = [...textOf].flatMap(([file, text]) =>
      [...text.matchAll(/^(?:export )?(?:default )?(?:abstract )?class (\w+)/gm)].map(([, name]) => `${file} ${name}`),
    );
    expect(classes).toEqual(["lib/errors.ts AppError"]);
    const defaults = [...textOf].filter(([, text]) => /^export default /m.test(text)).map(([file]) => file);
    const demanded =
      /^app\/.*(page|layout|error|not-found|loading)\.tsx$|\.config\.ts$|^lib\/testing\/database\.ts$|^e2e\/reports\.ts$/;
    expect(defaults.filter((file) => !demanded.test(file))).toEqual([]);
  });

  const routes = files.filter((file) => /\/route\.ts$/.test(file));
  test.each(routes)("%s is at most 40 lines", (file) => {
    expect(textOf.get(file)?.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
  });
});

type Texts = { [name: string]: string | Texts };

const flat = (texts: Texts, at = ""): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([name, value]) =>
    typeof value === "string" ? [[`${at}${name}`, value]] : flat(value, `${at}${name}.`),
  );

/** The values that a text needs: "{count, plural, …}" and "{name}" need count and name; "<b>…</b>" needs b. */
const valuesOf = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)[,}]|<(\w+)>/g)].map(([, value, tag]) => value ?? tag))].sort();

describe("words", () => {
  const [pt, en] = [new Map(flat(catalogues["pt-BR"])), new Map(flat(catalogues.en))];

  test("both catalogues have the same keys, in the same order, none without a text", () => {
    expect([...en.keys()]).toEqual([...pt.keys()]);
    for (const [key, text] of [...pt, ...en]) expect(text.trim(), key).not.toBe("");
  });

  test("a text and its translation need the same values", () => {
    for (const [key, text] of pt) expect(valuesOf(en.get(key) ?? ""), key).toEqual(valuesOf(text));
  });

  test("every error code has a status and a whole Portuguese sentence of its own", () => {
    const texts = Object.entries(errors).map(([code, [status, text]]) => {
      expect(text, code).toMatch(/^[A-ZÁÉÍÓÚÂÊÔÃÕÇ].*\.$/);
      expect(String(status), code).toMatch(/^(4\d\d|50[03])$/);
      expect(code, code).toMatch(/^[a-z][a-z0-9_]*$|^DUPLICATE_CARD_TOKEN$/);
      return text;
    });
    expect(new Set(texts).size).toBe(texts.length);
  });

  test("every error code that the dashboard has a text for exists", () => {
    const codes = [...pt.keys()].filter((key) => key.startsWith("errors.codes.")).map((key) => key.slice(13));
    expect(codes.length).toBeGreaterThan(5);
    expect(codes.filter((code) => !(code in errors))).toEqual([]);
  });

  test("a failure that has a code of its own has a text of its own: the general one says less", () => {
    const without = Object.entries(errors)
      .filter(([, [status]]) => status >= 500)
      .filter(([code]) => "error" in errorBody(new AppError(code as keyof typeof errors), "").body)
      .filter(([code]) => !pt.has(`errors.codes.${code}`));
    expect(without.map(([code]) => code)).toEqual(["charge_not_made"]); // no page charges a card
  });
});
