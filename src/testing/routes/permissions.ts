/** The endpoints of permissions. Setting and listing are in the API specification, revoking is observed. */

import { listPermissions, revokePermission, setPermission } from "../../resources/permissions.js";
import { json, noContent, notFound } from "../http/exchange.js";
import { paginate } from "../http/paginate.js";
import { answer, pathId } from "../http/route.js";
import { newId } from "../state/random.js";
import type { PermissionRecord } from "../state/records.js";
import { permissionToWire } from "../state/to-wire.js";
import { findOwnedMeeting } from "./find-record.js";

const PERMISSION_PREFIX = "perm_";

/** A text that is the same for the same recipient, regardless of the order of its fields. */
const recipientKey = (recipient: PermissionRecord["recipient"]) =>
  JSON.stringify(Object.entries(recipient).sort(([a], [b]) => (a < b ? -1 : 1)));

export const permissionRoutes = [
  answer(setPermission, (call) => {
    const { permissions } = findOwnedMeeting(call);
    const { recipient, role } = call.body;
    const key = recipientKey(recipient);
    let permission = permissions.find((existing) => recipientKey(existing.recipient) === key);
    if (permission === undefined) {
      permission = { id: newId(call.context.state, PERMISSION_PREFIX), recipient: { ...recipient }, role };
      permissions.push(permission);
    }
    permission.role = role;
    return json(permissionToWire(permission));
  }),
  answer(listPermissions, (call) => {
    const { permissions, share_url } = findOwnedMeeting(call);
    const page = paginate(permissions, call.query, call.context.settings, ({ id }) => id, permissionToWire);
    return json({ ...page, share_url });
  }),
  answer(revokePermission, (call) => {
    const { permissions } = findOwnedMeeting(call);
    const id = pathId(call, "permissionId");
    const index = permissions.findIndex((permission) => permission.id === id);
    if (index === -1) throw notFound();
    permissions.splice(index, 1);
    return noContent;
  }),
];
