import { getNotetakerAutomation, setNotetakerAutomation } from "../endpoints/settings.js";
import type { Automation, AutomationParams } from "../schemas/automation.js";
import type { ApiPromise } from "../transport/api-promise.js";
import type { RequestOptions } from "../transport/request-options.js";
import { Resource, transportOf } from "../transport/resource.js";

/** The user's settings. */
export class Settings extends Resource {
  /**
   * Sets which calendar events the bot joins by itself. The service at once schedules or cancels the bots of upcoming
   * events accordingly.
   *
   * Guide: docs/bots.md.
   * @example
   * await notetaker.settings.setNotetakerAutomation({ automation: "JOIN_AS_HOST" });
   */
  setNotetakerAutomation(params: AutomationParams, options?: RequestOptions): ApiPromise<Automation> {
    return transportOf(this).send({ ...setNotetakerAutomation, params }, options);
  }

  /**
   * The current automation mode.
   * @beta The API specification does not show this endpoint; observed.
   */
  getNotetakerAutomation(options?: RequestOptions): ApiPromise<Automation> {
    return transportOf(this).send(getNotetakerAutomation, options);
  }
}
