/** The service emulator: test an integration without the service. */
export type { BotControls } from "./bot-controls.js";
export type { ClockControls } from "./clock-controls.js";
export type { DeliveryHandler } from "./deliver.js";
export type { DeliveryPlan } from "./deliveries.js";
export type { Delivery, DeliveryAttempt } from "./delivery.js";
export { createEmulator, type Emulator } from "./emulator.js";
export { EmulatorError, type Mistake } from "./emulator-error.js";
export type { Fault, FaultControls, FaultInput, FaultKind, PlannedFault } from "./faults.js";
export type { FetchLike } from "./fetch.js";
export type { LifeTimes } from "./life-times.js";
export type { Listening, ListenOptions } from "./listen.js";
export type { MeetingControls } from "./meeting-controls.js";
export type { EmulatorOptions } from "./options.js";
export type { HeldLimits } from "./rate-limits.js";
export type { RecordedRequest } from "./requests.js";
export type {
  AccountSeed,
  DocumentSeed,
  EventSeed,
  MeetingSeed,
  PermissionSeed,
  RoomSeed,
  Seed,
  TranscriptSeed,
  WebhookSeed,
} from "./seed.js";
export {
  aDocument,
  aMeeting,
  anEvent,
  aPermission,
  aRoom,
  aTranscript,
  aWebhook,
  type TranscriptLines,
} from "./seed-builders.js";
export type { Snapshot } from "./snapshot.js";
export type { AccountRecord, Block, BotRecord, MeetingRecord, WebhookRecord } from "./state.js";
export type { WebhookControls } from "./webhook-controls.js";
