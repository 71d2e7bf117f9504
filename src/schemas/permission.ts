/** Interface, "Permission" and the two permission endpoints. */
import * as z from "zod/mini";
import { pageFields, pageParams } from "./page.js";
import { nonEmptyString, openEnum, openObject, requestObject, responseObject } from "./primitives.js";

/** The recipient type that means anyone with the link. Other types are not shown. */
export const RECIPIENT_ANYONE = "anyone";
/** The role of public access, which is read-only. Other roles are not shown. */
export const ROLE_READ = "read";

/** Who is given access. `type: "anyone"` means anyone with the link; the fields of other types are kept as they are. */
export const recipientSchema = openObject({ type: openEnum<readonly [typeof RECIPIENT_ANYONE]>() });
export type Recipient = z.infer<typeof recipientSchema>;

export const permissionSchema = responseObject({
  id: z.string(),
  recipient: recipientSchema,
  role: openEnum<readonly [typeof ROLE_READ]>(),
});
export type Permission = z.infer<typeof permissionSchema>;

const permissionPageFields = {
  /** URL under which the meeting is shared. */
  share_url: z.string(),
};
/** What a page of permissions carries beside the page envelope. */
export interface PermissionPageFields {
  /** URL under which the meeting is shared. */
  readonly share_url: string;
}

export const permissionPageSchema = responseObject({ ...pageFields(permissionSchema), ...permissionPageFields });

export const permissionSetParamsSchema = requestObject({
  /** An object with `type`; other fields go to the service as they are. */
  recipient: openObject({ type: nonEmptyString() }),
  role: nonEmptyString(),
}).check(
  z.refine(({ recipient, role }) => recipient.type !== RECIPIENT_ANYONE || role === ROLE_READ, {
    path: ["role"],
    error: `expected "${ROLE_READ}": access for anyone with the link is read-only`,
  }),
);
export interface PermissionSetParams {
  /** `type`, and for types that the interface does not show whatever fields they want. */
  recipient: Recipient & { readonly [field: string]: unknown };
  role: Permission["role"];
}

export const permissionListParamsSchema = requestObject(pageParams);
export type PermissionListParams = z.infer<typeof permissionListParamsSchema>;
