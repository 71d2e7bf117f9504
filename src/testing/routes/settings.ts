/**
 * The endpoints of the automation mode (API specification, "PUT /settings/notetaker-automation"). Reading the mode is
 * observed.
 */

import { getNotetakerAutomation, setNotetakerAutomation } from "../../resources/settings.js";
import { json } from "../http/exchange.js";
import { answer } from "../http/route.js";
import { applyAutomation } from "../lifecycle/calendar.js";

export const settingsRoutes = [
  answer(setNotetakerAutomation, ({ context, body }) => {
    applyAutomation(context, body.automation);
    return json({ automation: context.state.account.automation });
  }),
  answer(getNotetakerAutomation, ({ context }) => json({ automation: context.state.account.automation })),
];
