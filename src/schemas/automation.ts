/** Interface, "Note-taker automation mode" and "PUT /settings/notetaker-automation". */
import type * as z from "zod/mini";
import { enumOf, openEnum, requestObject, responseObject } from "./primitives.js";

/**
 * `MANUAL`: the bot never joins by itself. `JOIN_AS_HOST`: it joins the events that the user organizes.
 * `JOIN_ALL_EVENTS`: it joins every event of the user's calendar.
 */
export const AUTOMATION_MODES = ["MANUAL", "JOIN_AS_HOST", "JOIN_ALL_EVENTS"] as const;
export type AutomationMode = (typeof AUTOMATION_MODES)[number];

export const automationSchema = responseObject({ automation: openEnum<typeof AUTOMATION_MODES>() });
export type Automation = z.infer<typeof automationSchema>;

export const automationParamsSchema = requestObject({ automation: enumOf(AUTOMATION_MODES) });
export type AutomationParams = z.infer<typeof automationParamsSchema>;
