import type * as z from "zod/mini";

/** Wraps `make`, so that it is called only once for each schema. */
/* @__NO_SIDE_EFFECTS__ */
export function oncePerSchema<Schema extends z.core.$ZodType, Made>(
  make: (schema: Schema) => Made,
): (schema: Schema) => Made {
  const made = new WeakMap<Schema, Made>();
  return (schema) => {
    const known = made.get(schema);
    if (known !== undefined) return known;
    const result = make(schema);
    made.set(schema, result);
    return result;
  };
}
