/** Which expansions an `expand` parameter certainly names, and the schema of an item that was requested with them. */
import type * as z from "zod/mini";
import { responseObject, type ShapeOf } from "./primitives.js";

/**
 * The expansions that the type of an `expand` parameter certainly contains: those that are in every member of a union.
 * None if its length is not known.
 */
export type NamedExpansions<E extends readonly string[]> = {
  [K in E[number]]: [E extends unknown ? (number extends E["length"] ? K : Exclude<K, E[number]>) : never] extends [
    never,
  ]
    ? K
    : never;
}[E[number]];

/** Parameters that certainly request the expansions `E`. */
export type WithExpand<Params, E extends readonly string[]> = Params & {
  /** Related resources to include in each item: their fields are then present. */
  expand: E;
};

/**
 * The schema of an item of `fields` for each combination of `expansions`: what was requested is promised. Each is made
 * when it is first needed, since few programs use more than one.
 */
export function expandedSchemas<T extends object>(
  fields: ShapeOf<T>,
  expansions: Readonly<Record<string, z.ZodMiniType>>,
): (expand: readonly string[] | undefined) => z.ZodMiniType<T> {
  const schemas = new Map<string, z.ZodMiniType<T>>();
  return (expand = []) => {
    const names = Object.keys(expansions).filter((name) => expand.includes(name));
    const key = names.join();
    const promised = Object.fromEntries(names.map((name) => [name, expansions[name]]));
    const schema = schemas.get(key) ?? responseObject<T>({ ...fields, ...promised });
    schemas.set(key, schema);
    return schema;
  };
}
