/**
 * The endpoints of the automation mode (API specification, "PUT /settings/notetaker-automation"). Reading the mode is
 * observed.
 */
import { AUTOMATION_MODES, type AutomationMode } from "../../schemas/automation.js";
import { json } from "../http/exchange.js";
import type { Route } from "../http/route.js";
import { oneOf } from "../http/rules.js";
import { applyAutomation } from "../lifecycle/calendar.js";

export const settingsRoutes: Route[] = [
  {
    method: "PUT",
    path: "/settings/notetaker-automation",
    invalid: "validation",
    fields: { automation: { rule: oneOf(AUTOMATION_MODES), required: true } },
    answer: ({ context, body }) => {
      applyAutomation(context, body.automation as AutomationMode);
      return json({ automation: context.state.account.automation });
    },
  },
  {
    method: "GET",
    path: "/settings/notetaker-automation",
    invalid: "validation",
    answer: ({ context }) => json({ automation: context.state.account.automation }),
  },
];
