/**
 * `notetaker-sdk/doctor`: what the service really does with the names that its interface leaves open.
 *
 * @module notetaker-sdk/doctor
 */
export { diagnose } from "./diagnose.js";
export type { DoctorClient } from "./doctor-client.js";
export type { Check, DiagnoseOptions, Drift, EvidenceLevel, ReceivedField, Report, Verdict } from "./report.js";
