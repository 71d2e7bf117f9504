/** The automation mode: see "Note-taker automation mode" in the API specification. */
import { enumOf, type Infer, openEnum, requestObject, responseObject } from "./primitives.js";

export const AUTOMATION_MODES = ["MANUAL", "JOIN_AS_HOST", "JOIN_ALL_EVENTS"] as const;
export type AutomationMode = (typeof AUTOMATION_MODES)[number];

const automationFields = {
  /**
   * Which calendar events the bot joins by itself. `MANUAL`: none. `JOIN_AS_HOST`: those that the user organizes.
   * `JOIN_ALL_EVENTS`: every event of the user's calendar. A mode that the service adds later is accepted as received.
   */
  automation: openEnum<AutomationMode | (string & {})>(),
};

/** The current automation mode. */
export interface Automation extends Infer<typeof automationFields> {}

export const automationSchema = responseObject<Automation>(automationFields);

const automationParams = {
  /** The bot joins no event (`MANUAL`), the user's own (`JOIN_AS_HOST`), or all (`JOIN_ALL_EVENTS`). Required. */
  automation: enumOf(AUTOMATION_MODES),
};

/** The automation mode to set. */
export interface AutomationParams extends Infer<typeof automationParams> {}

export const notetakerAutomationParamsSchema = requestObject<AutomationParams>(automationParams);
