import { z } from "zod";

/** The answer of an operation that has nothing else to say. */
export const Message = z.object({ message: z.string() });
