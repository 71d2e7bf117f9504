/** A copy of `base` with the fields of `changes`, symbols included. A field that is `undefined` counts as not given. */
export function withChanges<Base extends object, Changes extends object>(base: Base, changes: Changes): Base & Changes {
  const given = { ...changes };
  for (const key of Reflect.ownKeys(given) as (keyof Changes)[]) if (given[key] === undefined) delete given[key];
  return { ...base, ...given };
}
