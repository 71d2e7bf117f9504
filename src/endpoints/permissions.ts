import {
  permissionListParamsSchema,
  permissionPageSchema,
  permissionSchema,
  permissionSetParamsSchema,
} from "../schemas/permission.js";
import { endpoint } from "./endpoint.js";

export const setPermission = endpoint({
  name: "permissions.set",
  route: "POST /meetings/{meetingId}/permissions",
  body: permissionSetParamsSchema,
  response: permissionSchema,
  retry: "repeatable",
  invalid: "error",
  source: "specified",
});

export const listPermissions = endpoint({
  name: "permissions.list",
  route: "GET /meetings/{meetingId}/permissions",
  query: permissionListParamsSchema,
  names: "permissions",
  response: permissionSchema,
  page: permissionPageSchema,
  retry: "repeatable",
  invalid: "error",
  source: "specified",
});

export const revokePermission = endpoint({
  name: "permissions.revoke",
  route: "DELETE /meetings/{meetingId}/permissions/{permissionId}",
  response: undefined,
  retry: "repeatable",
  invalid: "error",
  source: "observed",
});

export const permissionEndpoints = [setPermission, listPermissions, revokePermission] as const;
