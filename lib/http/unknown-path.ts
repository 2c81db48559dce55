import { AppError } from "@/lib/errors";
import { refuse } from "@/lib/http/answer";
import { newId } from "@/lib/ids";

/** Next's own 404 is a page; these answer its unknown API paths in JSON. The lean host does so by itself. */
const unknownPath = () => refuse(new AppError("not_found"), newId());

export { unknownPath as DELETE, unknownPath as GET, unknownPath as PATCH, unknownPath as POST, unknownPath as PUT };
