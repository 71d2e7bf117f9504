/** A copy of `base` with the fields of `changes`, symbols included. A field that is `undefined` counts as not given. */
export function withChanges<Base extends object, Changes extends object>(base: Base, changes: Changes): Base & Changes {
  const keys = Reflect.ownKeys(changes) as (keyof Changes)[];
  const given = keys.filter((key) => changes[key] !== undefined).map((key) => [key, changes[key]] as const);
  return { ...base, ...(Object.fromEntries(given) as Changes) };
}
