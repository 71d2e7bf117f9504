/** The service emulator: test an integration without the service. */
export { createEmulator, type Emulator } from "./emulator.js";
export type { FetchLike } from "./fetch.js";
export type { Listening, ListenOptions } from "./listen.js";
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
export type { AccountRecord, Block } from "./state.js";
export type { LifeTimes } from "./world.js";
