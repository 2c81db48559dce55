import { z } from "zod";
import { json } from "@/lib/http/answer";
import type { Handler } from "@/lib/http/methods";
import { methods } from "@/lib/http/methods";
import { END_TO_END_ID } from "@/lib/rails/pix/end-to-end-id";
import { guarded, invalid } from "@/lib/simulators/guard";
import { getPix, listPix, present } from "@/lib/simulators/pix/records";

/** `…/received`: the payments from `since` to `until`, oldest first; `cursor` leads to the page after `next_cursor`. */
export const received = methods({ GET: guarded((request, context) => listReceived(request, context)) });

/** `…/received/{endToEndId}`: one payment. */
export const receivedOne = methods({ GET: guarded((request, context) => getReceived(request, context)) });

const instant = (standard: string) =>
  z.iso
    .datetime({ offset: true })
    .default(standard)
    .transform((text) => new Date(Math.max(0, Date.parse(text))).toISOString());

const Query = z.object({
  since: instant("1970-01-01T00:00:00Z"),
  until: instant("9999-12-31T00:00:00Z"),
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
  const found = await listPix(query.cursor ?? [query.since, ""], query.until, query.limit + 1);
  const page = found.slice(0, query.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return json(200, { data: page.map(present), next_cursor: last ? `${last.paid_at}~${last.end_to_end_id}` : null });
};

const getReceived: Handler = async (_, { params }) => {
  const { endToEndId = "" } = (await params) ?? {};
  const pix = END_TO_END_ID.test(endToEndId) ? await getPix(endToEndId) : undefined;
  return pix ? json(200, present(pix)) : json(404, { message: "Pix não encontrado." });
};
