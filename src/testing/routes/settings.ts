/**
 * The endpoints of the automation mode (API specification, "PUT /settings/notetaker-automation"). Reading the mode is
 * observed.
 */
import { notetakerAutomationParamsSchema } from "../../schemas/automation.js";
import { json } from "../http/exchange.js";
import { answer } from "../http/route.js";
import { applyAutomation } from "../lifecycle/calendar.js";

export const settingsRoutes = [
  answer(
    "PUT /settings/notetaker-automation",
    { invalid: "validation", body: notetakerAutomationParamsSchema },
    ({ context, body }) => {
      applyAutomation(context, body.automation);
      return json({ automation: context.state.account.automation });
    },
  ),
  answer("GET /settings/notetaker-automation", { invalid: "validation" }, ({ context }) =>
    json({ automation: context.state.account.automation }),
  ),
];
