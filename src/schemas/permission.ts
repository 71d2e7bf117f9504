/** Permissions: see "Permission" and the two endpoints for permissions in the API specification. */
import * as z from "zod/mini";
import { oncePerSchema, pageFields, pageParams, type ReceivedPage } from "./page.js";
import {
  type Infer,
  nonEmptyString,
  openEnum,
  requestObject,
  responseObject,
  type Schema,
  stringOf,
} from "./primitives.js";

/** The recipient type that means anyone with the link. The API specification shows no other type. */
export const RECIPIENT_ANYONE = "anyone";
/** The role of public access, which is read-only. The API specification shows no other role. */
export const ROLE_READ = "read";

const recipientFields = {
  /** `anyone`: anyone with the link. The API specification does not show the types of a teammate and the team. */
  type: openEnum<typeof RECIPIENT_ANYONE | (string & {})>(),
};

/**
 * Who has access. The API specification shows only `type`.
 *
 * Other fields are kept, with the type `unknown`.
 */
export interface Recipient extends Infer<typeof recipientFields> {
  /** Any further field of the recipient. */
  [field: string]: unknown;
}

export const recipientSchema = z.looseObject(recipientFields) as z.ZodMiniType as Schema<Recipient>;

const permissionFields = {
  /** The id of the permission, for `permissions.revoke`. It has no prefix. */
  id: z.string(),
  /** Who has access. */
  recipient: recipientSchema,
  /** What the recipient may do: `read` for public, read-only access. The API specification shows no other role. */
  role: openEnum<typeof ROLE_READ | (string & {})>(),
};

/** Access to a meeting. */
export interface Permission extends Infer<typeof permissionFields> {}

export const permissionSchema = responseObject<Permission>(permissionFields);

/** The fields that a page of permissions has in addition to the page envelope. */
export interface PermissionPageFields {
  /** The URL under which the meeting is shared. */
  readonly share_url: string;
}

export const permissionPageSchema = /* @__PURE__ */ oncePerSchema((item: z.core.$ZodType<unknown>) =>
  responseObject<ReceivedPage<unknown> & PermissionPageFields>({ ...pageFields(item), share_url: z.string() }),
);

/** The rule of public access. It also applies to the emulator's seeds. */
export const publicIsReadOnly = /* @__PURE__ */ z.refine<Pick<Permission, "recipient" | "role">>(
  ({ recipient, role }) => recipient.type !== RECIPIENT_ANYONE || role === ROLE_READ,
  { path: ["role"], error: `expected "${ROLE_READ}": access for anyone with the link is read-only` },
);

/** Meetings may not be shared with a slip of the pen: a name, a list, or an address with its name around it. */
const emailAddress = /* @__PURE__ */ stringOf(
  (text) => /^[^\s@<>,;]+@[^\s@<>,;]+$/.test(text),
  "one address such as ada@example.com",
);

export const permissionSetParams = {
  /** `{ type: "anyone" }`, or a type with fields of its own (not specified; an `email` is one address). Required. */
  recipient: z.looseObject({ type: nonEmptyString(), email: z.optional(emailAddress) }) as z.ZodMiniType as Schema<
    Readonly<Recipient>
  >,
  /** What the recipient may do. Public access is read-only: for `{ type: "anyone" }`, only `read`. Required. */
  role: nonEmptyString() as z.ZodMiniType as Schema<Permission["role"]>,
};

/** Parameters of `permissions.set`. */
export interface PermissionSetParams extends Infer<typeof permissionSetParams> {}

export const permissionSetParamsSchema: Schema<PermissionSetParams> =
  requestObject<PermissionSetParams>(permissionSetParams).check(publicIsReadOnly);

export interface PermissionListParams extends Infer<typeof pageParams> {}

export const permissionListParamsSchema = requestObject<PermissionListParams>(pageParams);
