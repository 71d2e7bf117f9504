/**
 * `notetaker-sdk/doctor`: finds out which query parameters the service honours, where the API specification does not
 * name them.
 * @module notetaker-sdk/doctor
 */
export { diagnose } from "./diagnose.js";
export type { Check, DiagnoseOptions, Evidence, Report, Verdict } from "./report.js";
