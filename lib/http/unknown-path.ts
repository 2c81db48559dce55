import { AppError } from "@/lib/errors";
import { refuse } from "@/lib/http/answer";
import { newId } from "@/lib/ids";

/** Answers an unknown API path in JSON where Next serves it, because Next's own 404 is a page. */
const unknownPath = () => refuse(new AppError("not_found"), newId());

export { unknownPath as DELETE, unknownPath as GET, unknownPath as PATCH, unknownPath as POST, unknownPath as PUT };
