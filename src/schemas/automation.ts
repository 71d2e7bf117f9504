/**
 * The automation mode: see "Note-taker automation mode" and "PUT /settings/notetaker-automation" in the API
 * specification.
 */
import { enumOf, openEnum, requestObject, responseObject } from "./primitives.js";

/**
 * `MANUAL`: the bot never joins by itself. `JOIN_AS_HOST`: it joins the events that the user organizes.
 * `JOIN_ALL_EVENTS`: it joins every event of the user's calendar.
 */
export const AUTOMATION_MODES = ["MANUAL", "JOIN_AS_HOST", "JOIN_ALL_EVENTS"] as const;
/** Which calendar events the bot joins by itself: see {@link AUTOMATION_MODES}. */
export type AutomationMode = (typeof AUTOMATION_MODES)[number];

/** The current automation mode. */
export interface Automation {
  /** See {@link AUTOMATION_MODES}. A mode that the service adds later is accepted as received. */
  automation: AutomationMode | (string & {});
}

/** The zod schema of {@link Automation}. */
export const automationSchema = responseObject<Automation>({ automation: openEnum<AutomationMode>() });

/** Parameters of `settings.setNotetakerAutomation`. */
export interface AutomationParams {
  /** The mode to set: see {@link AUTOMATION_MODES}. Required. */
  automation: AutomationMode;
}

/** The zod schema of {@link AutomationParams}. */
export const notetakerAutomationParamsSchema = requestObject<AutomationParams>({
  automation: enumOf(AUTOMATION_MODES),
});
