import type { AccountContext } from "@/lib/accounts/context";
import { readFor } from "@/lib/db";
import type { Balances as Cents } from "@/lib/ledger/balance";
import type { OwnKind } from "@/lib/ledger/chart";
import { daysOf } from "@/lib/ledger/days";
import { metaOf, skipOf } from "@/lib/lists/pagination";
import { askIn } from "@/lib/statement/ask";
import { presentBalances } from "@/lib/statement/balances";
import { lineOf } from "@/lib/statement/lines";
import { type MonthsPage, type MonthsQuery, type StatementMonth, Topic } from "@/lib/statement/schema";

/** The account's months that have lines, the last one first: what each began with, what its lines came to, and what it ended with. */
export const readMonths = ({ id }: AccountContext, query: MonthsQuery): Promise<MonthsPage> =>
  readFor(id, async (tx) => {
    const sums = await askIn(tx)<Sum>(SUMS, [id]);
    const months = closingsOf(sums).filter(({ month }) => !query.month || month === query.month);
    const skip = skipOf(query);
    return { data: months.slice(skip, skip + query.per_page), meta: metaOf(months.length, query) };
  });

type Sum = { month: string; kind: OwnKind; type: string; part: number; amount: number; entries: number };

const SUMS = `select to_char(day, 'YYYY-MM') as month, kind, type, part, sum(amount) as amount, sum(entries) as entries
  from (${daysOf("$1::uuid")}) days group by 1, 2, 3, 4 order by 1`;

const none = (): Cents => ({ available: 0, pending: 0, blocked: 0, held: 0 });

/** What went through one month after the other, the last one first. */
function closingsOf(sums: readonly Sum[]): StatementMonth[] {
  const months = new Map<string, Sum[]>();
  for (const sum of sums) months.set(sum.month, [...(months.get(sum.month) ?? []), sum]);
  const balance = none();
  return [...months]
    .map(([month, lines]): StatementMonth => {
      const opening = presentBalances(balance);
      const about = new Map<Topic, Cents>();
      for (const { kind, type, part, amount } of lines) {
        const topic = topicOf({ type, kind, part });
        const sum = about.get(topic) ?? none();
        about.set(topic, sum);
        sum[kind] += amount;
        balance[kind] += amount;
      }
      return {
        ...{ month, opening, closing: presentBalances(balance) },
        sums: Topic.options.flatMap((topic) => {
          const sum = about.get(topic);
          return sum ? [{ about: topic, ...presentBalances(sum) }] : [];
        }),
        lines: lines.reduce((all, { entries }) => all + entries, 0),
      };
    })
    .reverse();
}

/** What a sum of lines is about: the same whether they are debits or credits. */
const topicOf = (sum: Pick<Sum, "type" | "kind" | "part">): Topic =>
  (lineOf({ ...sum, amount: -1 }) ?? lineOf({ ...sum, amount: 1 }))?.topic ?? "adjustments";
