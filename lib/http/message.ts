import { z } from "zod";

/** The answer of an operation that returns only a sentence. */
export const Message = z.object({ message: z.string() });
