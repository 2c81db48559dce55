import { callbacksFrom } from "@/lib/callbacks/receive";
import { railNamed } from "@/lib/rails/pix/rails";

/** `/callbacks/pix/{provider}` */
export const callbacks = callbacksFrom(railNamed, "Pix");
