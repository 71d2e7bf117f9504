import * as z from "zod/mini";
import { ASSUMED_DOCUMENT_TITLES, ASSUMED_QUERY, type AssumptionOverrides } from "../assumptions.js";
import { nonEmptyString, type Schema } from "./primitives.js";

/** A schema for each key of `table`. */
/* @__NO_SIDE_EFFECTS__ */
const shapeFor = (table: object, schema: (value: object) => z.ZodMiniType) =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, schema(value)]));

/* @__NO_SIDE_EFFECTS__ */
const namesSchema = (table: object, more: Record<string, z.ZodMiniType> = {}) =>
  z.optional(z.strictObject({ ...shapeFor(table, () => z.optional(nonEmptyString())), ...more }));

export const assumptionsSchema = /* @__PURE__ */ z.optional(
  z.strictObject({
    ...shapeFor(ASSUMED_QUERY, (names) => namesSchema(names)),
    documents: namesSchema(ASSUMED_QUERY.documents, { titles: namesSchema(ASSUMED_DOCUMENT_TITLES) }),
  }) as z.ZodMiniType as Schema<AssumptionOverrides>,
);
