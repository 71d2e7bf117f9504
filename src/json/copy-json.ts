/** A copy as a JSON file would have it. */
export const copyJson = <Json>(value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;
