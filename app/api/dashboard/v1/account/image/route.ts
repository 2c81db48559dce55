import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { removePicture, setPicture } from "@/lib/profile/image";
import { OwnProfileAnswer } from "@/lib/profile/schema";

const image = { tag: "Account", auth: "session", scopes: ["account:write"] } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      ...image,
      summary: "Give the account its picture, up to 1 MB and 4096 pixels a side, in place of the one before",
      file: ["image/png", "image/jpeg", "image/webp"],
      status: 201,
      response: OwnProfileAnswer,
    },
    ({ account, file, intent }) => setPicture(account, { file }, intent),
  ),
  DELETE: endpoint({ ...image, summary: "Remove the account's picture", response: Message }, ({ account }) =>
    removePicture(account),
  ),
});
