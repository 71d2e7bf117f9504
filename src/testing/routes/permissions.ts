/** The endpoints of permissions. Setting and listing are in the API specification, revoking is observed. */

import type { WireNames } from "../../assumptions.js";
import { RECIPIENT_ANYONE, ROLE_READ } from "../../schemas/permission.js";
import { notFound } from "../http/error-response.js";
import { json, noContent } from "../http/exchange.js";
import { pageQuery, paginate, sortedByKey } from "../http/paginate.js";
import { pathParam, type Route } from "../http/route.js";
import { idRule, nonEmptyText, objectWith } from "../http/rules.js";
import { newId } from "../state/random.js";
import type { PermissionRecord } from "../state/records.js";
import { permissionToWire } from "../state/to-wire.js";
import { findOwnedMeeting } from "./find-record.js";

const PERMISSION_PREFIX = "perm_";

const params = { meeting_id: idRule("meetingId") };

const sortKey = ({ id }: PermissionRecord) => id;

type Recipient = PermissionRecord["recipient"];

/** A text that is the same for the same recipient, regardless of the order of its fields. */
const recipientKey = (recipient: Recipient) =>
  JSON.stringify(Object.entries(recipient).sort(([a], [b]) => (a < b ? -1 : 1)));

const setPermission: Route = {
  method: "POST",
  path: "/meetings/{meeting_id}/permissions",
  invalid: "error",
  params,
  fields: {
    recipient: { rule: objectWith({ type: nonEmptyText }), required: true },
    role: { rule: nonEmptyText, required: true },
  },
  together: ({ recipient, role }) =>
    (recipient as Recipient).type === RECIPIENT_ANYONE && role !== ROLE_READ
      ? { loc: ["body", "role"], msg: `Public access is read-only: expected '${ROLE_READ}'`, type: "enum", input: role }
      : undefined,
  answer: (call) => {
    const { permissions } = findOwnedMeeting(call);
    const recipient = call.body.recipient as Recipient;
    const role = call.body.role as string;
    const key = recipientKey(recipient);
    let permission = permissions.find((existing) => recipientKey(existing.recipient) === key);
    if (permission === undefined) {
      permission = { id: newId(call.context.state, PERMISSION_PREFIX), recipient, role };
      permissions.push(permission);
    }
    permission.role = role;
    return json(permissionToWire(permission));
  },
};

const listPermissions = (names: WireNames["permissions"]): Route => ({
  method: "GET",
  path: "/meetings/{meeting_id}/permissions",
  invalid: "error",
  params,
  query: pageQuery(names),
  answer: (call) => {
    const { permissions, share_url } = findOwnedMeeting(call);
    const { dialect } = call.context.settings;
    const page = { query: call.query, names, dialect, sortKey, toWire: permissionToWire };
    return json({ ...paginate(sortedByKey(permissions, sortKey), page), share_url });
  },
});

const revokePermission: Route = {
  method: "DELETE",
  path: "/meetings/{meeting_id}/permissions/{permission_id}",
  invalid: "error",
  params: { ...params, permission_id: nonEmptyText },
  answer: (call) => {
    const { permissions } = findOwnedMeeting(call);
    const id = pathParam(call, "permission_id");
    const index = permissions.findIndex((permission) => permission.id === id);
    if (index === -1) throw notFound();
    permissions.splice(index, 1);
    return noContent;
  },
};

export const permissionRoutes = (names: WireNames["permissions"]): Route[] => [
  setPermission,
  listPermissions(names),
  revokePermission,
];
