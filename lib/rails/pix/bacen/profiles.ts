import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";

/** What a PSP does otherwise than the standard says, or where the standard leaves it a choice. */
type Profile = {
  /** How the client says who it is at the token endpoint: by HTTP Basic, or in the form. */
  tokenAuth: "basic" | "body";
  /** Headers of every request. */
  headers?: (settings: BacenSettings) => Record<string, string>;
};

export const profiles: Record<BacenSettings["profile"], Profile> = {
  standard: { tokenAuth: "basic" },
};
