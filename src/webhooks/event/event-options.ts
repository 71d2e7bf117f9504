import * as z from "zod/mini";
import type { EventKind } from "../../schemas/event.js";
import { type Infer, nonEmptyString, openEnum, requestObject } from "../../schemas/primitives.js";

const eventFields = {
  /** The field that names the kind. Default `event` (observed). */
  kind: z.optional(nonEmptyString()),
  /** The field that holds the meeting id. Default `id` (documented), then `meeting_id` (observed). */
  meetingId: z.optional(nonEmptyString()),
};

/** The names of the body's fields. */
export interface EventFields extends Infer<typeof eventFields> {}

export const readEventOptions = {
  /**
   * The kind of an event whose body names none, for a URL that receives only this kind. A kind in the body takes
   * precedence. Default `"unknown"`.
   */
  kind: z.optional(openEnum<EventKind>()),
  /** The names of the body's fields, if your service's names differ from the defaults. */
  assumptions: z.optional(requestObject<EventFields>(eventFields)),
};

/** Options for reading an event. */
export interface ReadEventOptions extends Infer<typeof readEventOptions> {}
