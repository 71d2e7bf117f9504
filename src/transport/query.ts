/** Query parameters, from their names in this library to the wire. */

/** A value of a query parameter; an array is sent as the parameter repeated, `undefined` is left out. */
export type QueryValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

export type QueryRecord = Readonly<Record<string, QueryValue>>;

/** `?id=room_a&id=room_b&limit=50`, or nothing. An array is repeated; `undefined` is left out; `extra` wins. */
export function queryString(
  params: QueryRecord,
  names: Readonly<Record<string, string>>,
  extra: QueryRecord = {},
): string {
  const wireName = new Map(Object.entries(names));
  const onWire = new Map(Object.entries(params).map(([name, value]) => [wireName.get(name) ?? name, value]));
  for (const [name, value] of Object.entries(extra)) if (value !== undefined) onWire.set(name, value);

  const search = new URLSearchParams();
  for (const [name, value] of onWire) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text && `?${text}`;
}
