import { z } from "zod";

/** A time as the interface writes it (`iso` in `lib/time/clock.ts`). */
export const time = z
  .string()
  .meta({ description: "ISO 8601, UTC, microseconds", example: "2026-01-31T12:00:00.000000Z" });
