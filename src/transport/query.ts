import type { RequestOptions } from "./request-options.js";

/** Query parameters. An array repeats its parameter; `undefined` leaves it out. */
export type QueryRecord = NonNullable<RequestOptions["query"]>;

/** `?id=a&id=b&limit=50`, or "". `names` are those on the wire; `extra` overrides parameters of the same one. */
export function queryString(
  params: QueryRecord,
  names: Readonly<Record<string, string>>,
  extra: QueryRecord = {},
): string {
  const wireName = (name: string) => (Object.hasOwn(names, name) ? (names[name] as string) : name);
  const wireParams = new Map(Object.entries(params).map(([name, value]) => [wireName(name), value]));
  for (const [name, value] of Object.entries(extra)) if (value !== undefined) wireParams.set(name, value);

  const search = new URLSearchParams();
  for (const [name, value] of wireParams) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, String(item));
    }
  }
  const text = search.toString();
  return text && `?${text}`;
}
