import * as z from "zod/mini";
import { ASSUMED_TEAM, ASSUMED_TEAMMATE } from "../../assumptions.js";
import { listPermissions, revokePermission, setPermission } from "../../endpoints/permissions.js";
import { type Permission, RECIPIENT_ANYONE, ROLE_READ } from "../../schemas/permission.js";
import { shapeOf } from "../emulator-error.js";
import { jsonResponse, noContent } from "../http/exchange.js";
import { paginate } from "../http/paginate.js";
import { invalid, notFound, type Problem, problem } from "../http/refusals.js";
import { answer, pathId } from "../http/route.js";
import { newId, PERMISSION_PREFIX } from "../state/random.js";
import { toWire } from "../state/to-wire.js";
import { findOwnedMeeting } from "./find-record.js";

/** A text that is the same for the same recipient, regardless of the order of its fields. */
const recipientKey = (recipient: Permission["recipient"]) =>
  JSON.stringify(Object.entries(recipient).sort(([a], [b]) => (a < b ? -1 : 1)));

const RECIPIENT_TYPES = [RECIPIENT_ANYONE, ASSUMED_TEAMMATE, ASSUMED_TEAM];

function checkPermission({ recipient, role }: Pick<Permission, "recipient" | "role">): void {
  const { type, ...fields } = recipient;
  const isNamed = Object.values(fields).some((value) => typeof value === "string" && value !== "");
  const problems: Problem[] = [];
  if (!RECIPIENT_TYPES.includes(type)) {
    problems.push(problem(["body", "recipient", "type"], `expected one of ${RECIPIENT_TYPES.join(", ")}`, type));
  }
  if (type === ASSUMED_TEAMMATE && !isNamed) {
    problems.push(problem(["body", "recipient"], "expected the email of the teammate", recipient));
  }
  if (role !== ROLE_READ) problems.push(problem(["body", "role"], `expected ${ROLE_READ}`, role));
  if (problems.length > 0) throw invalid(setPermission.invalid, problems);
}

/** Without the rule that public access is read-only. */
const lenientBody = z.strictObject(shapeOf(setPermission.body));

export const permissionRoutes = [
  answer(
    setPermission,
    (call) => {
      const { permissions } = findOwnedMeeting(call);
      const { recipient, role } = call.body;
      if (call.context.settings.strict) checkPermission(call.body);
      const key = recipientKey(recipient);
      let permission = permissions.find((existing) => recipientKey(existing.recipient) === key);
      if (permission === undefined) {
        permission = { id: newId(call.context.state, PERMISSION_PREFIX), recipient: { ...recipient }, role };
        permissions.push(permission);
      }
      permission.role = role;
      return jsonResponse(toWire("permission", permission));
    },
    ({ strict }) => (strict ? setPermission.body : lenientBody),
  ),
  answer(listPermissions, (call) => {
    const { permissions, share_url } = findOwnedMeeting(call);
    const page = paginate(
      call,
      permissions,
      ({ id }) => id,
      (permission) => toWire("permission", permission),
    );
    return jsonResponse({ ...page, share_url });
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
