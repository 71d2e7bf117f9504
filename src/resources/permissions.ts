import { listPermissions, revokePermission, setPermission } from "../endpoints/permissions.js";
import { list } from "../lists/list.js";
import type { ListOptions } from "../lists/list-options.js";
import type { Page, PagePromise } from "../lists/page.js";
import type {
  Permission,
  PermissionListParams,
  PermissionPageFields,
  PermissionSetParams,
} from "../schemas/permission.js";
import type { ApiPromise } from "../transport/api-promise.js";
import type { RequestOptions } from "../transport/request-options.js";
import { Resource, transportOf } from "../transport/resource.js";

/** A page of permissions. It also has the meeting's `share_url`. */
export type PermissionPage = Page<Permission> & PermissionPageFields;

/** Who may see the meetings that the user owns. */
export class Permissions extends Resource {
  /**
   * Grants or updates access to a meeting that the user owns. The recipient `{ type: "anyone" }` means anyone with the
   * link. Its role must be `read`, because public access is read-only. The API specification shows no other recipient
   * types and roles.
   *
   * Other types and roles are sent unchanged.
   *
   * Guide: docs/permissions.md.
   * @example
   * await notetaker.permissions.set("mtg_1", { recipient: { type: "anyone" }, role: "read" });
   */
  set(meetingId: string, params: PermissionSetParams, options?: RequestOptions): ApiPromise<Permission> {
    return transportOf(this).send({ ...setPermission, ids: { meetingId }, params }, options);
  }

  /**
   * The public, teammate and team permissions of a meeting that the user owns.
   *
   * The names of the query parameters are guessed. Guide: docs/permissions.md.
   */
  list(
    meetingId: string,
    params: PermissionListParams = {},
    options?: ListOptions,
  ): PagePromise<Permission, PermissionPage> {
    const operation = { ...listPermissions, ids: { meetingId }, params };
    return list(transportOf(this), operation, options);
  }

  /**
   * Revokes a permission.
   * @beta The API specification does not show this endpoint; observed.
   */
  revoke(meetingId: string, permissionId: string, options?: RequestOptions): ApiPromise<void> {
    return transportOf(this).send({ ...revokePermission, ids: { meetingId, permissionId } }, options);
  }
}
