/** Reads the valid parts of an object that does not match its schema. */
import * as z from "zod/mini";

/** What stands for an invalid value that the service always sends. A time of `NaN` is missing in a transcript. */
const BLANK: Readonly<Record<string, unknown>> = { string: "", number: Number.NaN };

interface Definition {
  readonly type: string;
  readonly innerType: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
}

const definitionOf = (schema: z.core.$ZodType) => schema._zod.def as unknown as Definition;
const itemOf = (schema: z.core.$ZodType) => (schema as { readonly item?: z.core.$ZodType }).item;

/**
 * The schema of an object with the same fields, of which none needs to be valid. A value is read as `null` if the
 * service may leave it out, and as blank otherwise. Any string is valid, and any list: its invalid items are left out.
 */
export function lenient(schema: z.core.$ZodType): z.ZodMiniType {
  const { type, shape } = definitionOf(schema);
  const item = itemOf(schema);
  if (item !== undefined) return listOf(lenient(item));
  if (shape === undefined) return type === "string" ? z.string() : (schema as z.ZodMiniType);
  return z.object(Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, lenientField(field)])));
}

function lenientField(schema: z.ZodMiniType): z.ZodMiniType {
  const { type, innerType } = definitionOf(schema);
  if (type === "optional") return lenientField(innerType);
  if (type === "nullable") return z.catch(z.nullable(lenient(innerType)), null);
  return z.catch(lenient(schema), () => (itemOf(schema) === undefined ? BLANK[type] : []));
}

const listOf = (item: z.ZodMiniType) =>
  z.pipe(
    z.array(z.unknown()),
    z.transform((items: unknown[]) => items.flatMap((one) => z.safeParse(item, one).data ?? [])),
  );
