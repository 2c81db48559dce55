import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { Notifications } from "@/lib/notifications/schema";
import { chooseNotifications, readNotifications } from "@/lib/team/notifications";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "What the person is mailed about", tag: "Team", auth: "session", response: Notifications },
    ({ caller }) => readNotifications(caller),
  ),
  PUT: endpoint(
    {
      summary: "Choose what the person is mailed about",
      tag: "Team",
      auth: "session",
      acceptsKey: false,
      body: Notifications,
      response: Notifications,
    },
    ({ caller, body }) => chooseNotifications({ by: caller, ...body }),
  ),
});
