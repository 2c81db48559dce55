import { z } from "zod";
import type { Message } from "@/lib/events/subject";
import { iso } from "@/lib/time/clock";
import { time } from "@/lib/time/schema";

const API_VERSION = "2026-08-16";

/** The first members of a body in the event contract. */
export const envelopeOf = ({ name, id, occurredAt }: Message) => ({
  event: name,
  event_id: id,
  occurred_at: iso(occurredAt),
  api_version: API_VERSION,
});

/** The form of these members in bodies of events of this name. */
export const envelopeNamed = (name: string) =>
  z.object({
    event: z.literal(name),
    event_id: z.uuid().meta({ description: "The same in every attempt" }),
    occurred_at: time,
    api_version: z.literal(API_VERSION),
    test: z.literal(true).optional().meta({ description: "Only in tests: nothing of it happened" }),
  });
