import { asSystem } from "@/lib/db";
import { newAlphanumeric, newId } from "@/lib/ids";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { settingsContext } from "@/lib/rails/pix/connected";
import { encrypt } from "@/lib/vault/vault";

/** Settings of a PSP that nobody reaches. */
export const anySettings = (): BacenSettings => ({
  ...{ profile: "standard", base_url: "https://psp.example/api/v2", token_url: "https://psp.example/oauth/token" },
  ...{ client_id: "client", client_secret: "secret", pix_key: newId(), callback_secret: newAlphanumeric(43) },
});

/** A PSP that is connected without a trial and is not the default, so that it gets no other test's codes. */
export async function makeProvider(
  settings = anySettings(),
  title = "Banco do Norte",
): Promise<{ id: string; name: string }> {
  const [id, name] = [newId(), `psp-${newAlphanumeric(8).toLowerCase()}`];
  const sealedSettings = new Uint8Array(encrypt(JSON.stringify(settings), settingsContext(id)));
  await asSystem((tx) => tx.pixProvider.create({ data: { id, name, title, sealedSettings } }));
  return { id, name };
}
