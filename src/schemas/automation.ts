/**
 * The automation mode: see "Note-taker automation mode" and "PUT /settings/notetaker-automation" in the API
 * specification.
 */
import { enumOf, type Infer, openEnum, requestObject, responseObject } from "./primitives.js";

/**
 * `MANUAL`: the bot never joins by itself. `JOIN_AS_HOST`: it joins the events that the user organizes.
 * `JOIN_ALL_EVENTS`: it joins every event of the user's calendar.
 */
export const AUTOMATION_MODES = ["MANUAL", "JOIN_AS_HOST", "JOIN_ALL_EVENTS"] as const;
/** Which calendar events the bot joins by itself: see {@link AUTOMATION_MODES}. */
export type AutomationMode = (typeof AUTOMATION_MODES)[number];

const automationFields = {
  /** See {@link AUTOMATION_MODES}. A mode that the service adds later is accepted as received. */
  automation: openEnum<AutomationMode | (string & {})>(),
};

/** The current automation mode. */
export interface Automation extends Infer<typeof automationFields> {}

export const automationSchema = responseObject<Automation>(automationFields);

const automationParams = {
  /** The mode to set: see {@link AUTOMATION_MODES}. Required. */
  automation: enumOf(AUTOMATION_MODES),
};

/** Parameters of `settings.setNotetakerAutomation`. */
export interface AutomationParams extends Infer<typeof automationParams> {}

export const notetakerAutomationParamsSchema = requestObject<AutomationParams>(automationParams);
