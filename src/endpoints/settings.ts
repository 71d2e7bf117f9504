import { automationSchema, notetakerAutomationParamsSchema } from "../schemas/automation.js";
import { endpoint } from "./endpoint.js";

export const setNotetakerAutomation = endpoint({
  name: "settings.setNotetakerAutomation",
  route: "PUT /settings/notetaker-automation",
  body: notetakerAutomationParamsSchema,
  response: automationSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const getNotetakerAutomation = endpoint({
  name: "settings.getNotetakerAutomation",
  route: "GET /settings/notetaker-automation",
  response: automationSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "observed",
});

export const settingEndpoints = [setNotetakerAutomation, getNotetakerAutomation] as const;
