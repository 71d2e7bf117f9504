/**
 * The service emulator: tests an integration without the service.
 * @module notetaker-sdk/testing
 */

export { fakePage } from "../lists/fake-page.js";
export type { Listening, ListenOptions } from "./adapters/http-server.js";
export type { FetchLike } from "./adapters/in-process.js";
export type { TranscriptLine } from "./content/transcript-lines.js";
export type { AccountControls, ClockControls, EmulatorClientOptions } from "./controls/account.js";
export type { BotControls } from "./controls/bots.js";
export type { FaultControls, FaultInput } from "./controls/faults.js";
export type { MeetingControls } from "./controls/meetings.js";
export type { WebhookControls } from "./controls/webhooks.js";
export type { DeliveryHandler } from "./deliveries/attempt-delivery.js";
export type { EventAttempt, NextAttempt, SendEventOptions, SentEvent } from "./deliveries/deliver-event.js";
export type { DeliveryPlan } from "./deliveries/delivery-queue.js";
export { createEmulator, type Emulator } from "./emulator.js";
export { EmulatorError } from "./emulator-error.js";
export type { Fault, FaultKind, PlannedFault } from "./http/fault.js";
export type { RecordedRequest } from "./http/requests.js";
export type { EmulatorOptions, EnforcedLimits, StepTimes } from "./options.js";
export type { RouteName } from "./routes/routes.js";
export type {
  AccountSettingsSeed,
  DocumentSeed,
  EventSeed,
  MeetingSeed,
  PermissionSeed,
  RoomSeed,
  Seed,
  TranscriptSeed,
  WebhookSeed,
} from "./seed/seed.js";
export * from "./seed/seed-builders.js";
export { sendEvent } from "./send-event.js";
export type {
  AccountRecord,
  Block,
  BotRecord,
  Delivery,
  DeliveryAttempt,
  DocumentRecord,
  MeetingRecord,
  UserRecord,
  WebhookRecord,
} from "./state/records.js";
