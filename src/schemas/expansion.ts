/** Types and schemas for the parameter `expand`: an expansion that was requested is present in each item. */
import type * as z from "zod/mini";
import { responseObject, type ShapeOf } from "./primitives.js";

/**
 * The expansions that an `expand` parameter of type `E` certainly names. If `E` is a union, these are the expansions in
 * every member. If the length of `E` is not known, there are none.
 */
export type NamedExpansions<E extends readonly string[]> = keyof {
  [K in E[number] as [E extends unknown ? (number extends E["length"] ? K : Exclude<K, E[number]>) : never] extends [
    never,
  ]
    ? K
    : never]: true;
};

/** The item `T` with the fields `E` present. */
export type Expanded<T, E extends keyof T> = T & { [K in E]-?: NonNullable<T[K]> };

/**
 * Returns the schema of an item for each combination of `expansions`: the fields of requested expansions are required.
 * Each schema is made when it is first needed, since few programs use more than one.
 */
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
