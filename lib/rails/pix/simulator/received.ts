import { z } from "zod";
import { json } from "@/lib/http/answer";
import type { Handler } from "@/lib/http/methods";
import { methods } from "@/lib/http/methods";
import { END_TO_END_ID } from "@/lib/rails/pix/simulator/agreement";
import { getPix, listPix, present } from "@/lib/rails/pix/simulator/records";
import { guarded, invalid } from "@/lib/rails/simulator-routes";

/** `…/received`: the payments at or after `since`, oldest first; `next_cursor` leads to the next page. */
export const received = methods({ GET: guarded((request, context) => listReceived(request, context)) });

/** `…/received/{endToEndId}`: one payment. */
export const receivedOne = methods({ GET: guarded((request, context) => getReceived(request, context)) });

const Query = z.object({
  since: z.iso
    .datetime({ offset: true })
    .default("1970-01-01T00:00:00Z")
    .transform((since) => new Date(Math.max(0, Date.parse(since))).toISOString()),
  cursor: z
    .string()
    .transform((text) => text.split("~"))
    .pipe(z.tuple([z.iso.datetime(), z.string().regex(END_TO_END_ID)]))
    .optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const listReceived: Handler = async (request) => {
  const { data: query, error } = Query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (error) return invalid(error);
  const found = await listPix(query.cursor ?? [query.since, ""], query.limit + 1);
  const page = found.slice(0, query.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return json(200, { data: page.map(present), next_cursor: last ? `${last.paid_at}~${last.end_to_end_id}` : null });
};

const getReceived: Handler = async (_, { params }) => {
  const { endToEndId = "" } = (await params) ?? {};
  const pix = END_TO_END_ID.test(endToEndId) ? await getPix(endToEndId) : undefined;
  return pix ? json(200, present(pix)) : json(404, { message: "Pix não encontrado." });
};
