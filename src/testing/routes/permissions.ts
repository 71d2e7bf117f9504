/** Interface, the two permission endpoints; revoking is level B. */
import { RECIPIENT_ANYONE, ROLE_READ } from "../../schemas/permission.js";
import type { WireNames } from "../../unshown.js";
import { notFound } from "../http/error-response.js";
import { json, noContent } from "../http/exchange.js";
import { pageQuery, paginate } from "../http/paginate.js";
import type { Route } from "../http/route.js";
import { filledText, idOf, objectWith } from "../http/rules.js";
import { newId } from "../state/random.js";
import type { PermissionRecord } from "../state/records.js";
import { permissionToWire } from "../state/to-wire.js";
import { findOwnedMeeting } from "./find-record.js";

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
      const meeting = findOwnedMeeting(call);
      const recipient = call.body.recipient as PermissionRecord["recipient"];
      const role = call.body.role as string;
      const granted = meeting.permissions.find((one) => recipientKey(one.recipient) === recipientKey(recipient));
      if (granted !== undefined) {
        granted.role = role;
        return json(permissionToWire(granted));
      }
      const permission = { id: newId(call.world.state, "perm_"), recipient, role };
      meeting.permissions.push(permission);
      return json(permissionToWire(permission));
    },
  },
  {
    method: "GET",
    path: "/meetings/{meeting_id}/permissions",
    invalid: "error",
    params,
    query: pageQuery(names),
    answer: (call) => {
      const { permissions, share_url } = findOwnedMeeting(call);
      const sorted = [...permissions].sort((a, b) => (a.id < b.id ? -1 : 1));
      return json({ ...paginate(sorted, ({ id }) => id, call.query, names, permissionToWire), share_url });
    },
  },
  {
    method: "DELETE",
    path: "/meetings/{meeting_id}/permissions/{permission_id}",
    invalid: "error",
    params: { ...params, permission_id: filledText },
    answer: (call) => {
      const meeting = findOwnedMeeting(call);
      const index = meeting.permissions.findIndex(({ id }) => id === call.params.permission_id);
      if (index === -1) throw notFound();
      meeting.permissions.splice(index, 1);
      return noContent;
    },
  },
];
