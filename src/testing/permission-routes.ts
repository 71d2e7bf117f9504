/** Interface, the two permission endpoints; revoking is level B. */
import { RECIPIENT_ANYONE, ROLE_READ } from "../schemas/permission.js";
import type { WireNames } from "../unshown.js";
import { json, noContent } from "./exchange.js";
import { ownedMeetingOf } from "./lookup.js";
import { pageOf, pageQuery } from "./pages.js";
import { mintId } from "./random.js";
import { notFound } from "./refusal.js";
import type { Route } from "./route.js";
import { filledText, idOf, objectWith } from "./rules.js";
import { shownPermission } from "./show.js";
import type { PermissionRecord } from "./state.js";

const params = { meeting_id: idOf("mtg_") };

/** The same recipient, whatever the order of its fields. */
const recipientKey = (recipient: PermissionRecord["recipient"]) =>
  JSON.stringify(Object.entries(recipient).sort(([a], [b]) => (a < b ? -1 : 1)));

export const permissionRoutes = (names: WireNames["permissions"]): Route[] => [
  {
    method: "POST",
    path: "/meetings/{meeting_id}/permissions",
    invalid: "error",
    params,
    fields: {
      recipient: { rule: objectWith({ type: filledText }), required: true },
      role: { rule: filledText, required: true },
    },
    together: ({ recipient, role }) =>
      (recipient as PermissionRecord["recipient"]).type === RECIPIENT_ANYONE && role !== ROLE_READ
        ? {
            loc: ["body", "role"],
            msg: `Public access is read-only: expected '${ROLE_READ}'`,
            type: "enum",
            input: role,
          }
        : undefined,
    answer: (call) => {
      const meeting = ownedMeetingOf(call);
      const recipient = call.body.recipient as PermissionRecord["recipient"];
      const role = call.body.role as string;
      const granted = meeting.permissions.find((one) => recipientKey(one.recipient) === recipientKey(recipient));
      if (granted !== undefined) {
        granted.role = role;
        return json(shownPermission(granted));
      }
      const permission = { id: mintId(call.world.state, "perm_"), recipient, role };
      meeting.permissions.push(permission);
      return json(shownPermission(permission));
    },
  },
  {
    method: "GET",
    path: "/meetings/{meeting_id}/permissions",
    invalid: "error",
    params,
    query: pageQuery(names),
    answer: (call) => {
      const { permissions, share_url } = ownedMeetingOf(call);
      const sorted = [...permissions].sort((a, b) => (a.id < b.id ? -1 : 1));
      return json({ ...pageOf(sorted, ({ id }) => id, call.query, names, shownPermission), share_url });
    },
  },
  {
    method: "DELETE",
    path: "/meetings/{meeting_id}/permissions/{permission_id}",
    invalid: "error",
    params: { ...params, permission_id: filledText },
    answer: (call) => {
      const meeting = ownedMeetingOf(call);
      const index = meeting.permissions.findIndex(({ id }) => id === call.params.permission_id);
      if (index === -1) throw notFound();
      meeting.permissions.splice(index, 1);
      return noContent;
    },
  },
];
