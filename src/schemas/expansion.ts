/** Types and schemas for the parameter `expand`: an expansion that was requested is present in each item. */
import type * as z from "zod/mini";
import { responseObject, type ShapeOf } from "./primitives.js";

/** The expansions that a value of type `E` certainly names: those in every member of a union; or none. */
export type NamedExpansions<E extends readonly string[]> = keyof {
  [K in E[number] as [E extends unknown ? (number extends E["length"] ? K : Exclude<K, E[number]>) : never] extends [
    never,
  ]
    ? K
    : never]: true;
};

/** The item `T` with the fields `E` present. */
export type Expanded<T, E extends keyof T> = T & { [K in E]-?: NonNullable<T[K]> };

/** The schema of an item by `expansions`: those that were requested are required. Each is made when needed. */
export function expandedSchemas<T extends object>(
  fields: ShapeOf<T>,
  expansions: Readonly<Record<string, z.ZodMiniType>>,
): <Item extends T = T>(params: { readonly expand?: readonly string[] | undefined }) => z.ZodMiniType<Item> {
  const schemas = new Map<string, z.ZodMiniType<never>>();
  return ({ expand = [] }) => {
    const names = Object.keys(expansions).filter((name) => expand.includes(name));
    const promised = Object.fromEntries(names.map((name) => [name, expansions[name]]));
    const schema = schemas.get(names.join()) ?? responseObject<never>({ ...fields, ...promised } as never);
    schemas.set(names.join(), schema);
    return schema;
  };
}
