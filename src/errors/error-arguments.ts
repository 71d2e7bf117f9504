/** The two ways to construct an error: `(message, fields)`, or the fields alone. */

export type ErrorArguments<Fields> =
  | readonly [message: string, fields?: Fields | undefined]
  | readonly [fields?: Fields | undefined];

/** Reads the message and the fields from either form. `describe` makes a default message from the fields. */
export function readArguments<Fields extends { message?: string | undefined }>(
  [first, second]: ErrorArguments<Fields>,
  describe: (fields: Partial<Fields>) => string,
): { message: string; fields: Partial<Fields> } {
  const fields: Partial<Fields> = (typeof first === "string" ? second : first) ?? {};
  return { message: typeof first === "string" ? first : (fields.message ?? describe(fields)), fields };
}
