import { z } from "zod";
import { time } from "@/lib/time/schema";

const text = z.string().trim().min(1, "Escreva a anotação.").max(2_000);

/** POST /api/operator/v1/accounts/{id}/notes */
export const NoteBody = z.object({ text });
export type NoteBody = z.output<typeof NoteBody>;

/** What a person of the staff wrote down about an account. */
export const Note = z.object({ id: z.uuid(), text: z.string(), written_by: z.string(), created_at: time });
export type Note = z.output<typeof Note>;

/** GET /api/operator/v1/accounts/{id}/notes: the newest first. */
export const Notes = z.object({ data: z.array(Note) });
export type Notes = z.output<typeof Notes>;
