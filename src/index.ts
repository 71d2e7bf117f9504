/**
 * `notetaker-sdk`: the client, its errors, its types, and the schemas of the service. Runs in any runtime with `fetch`.
 *
 * In these comments, "the API specification" is the description of the service that this library was built from. A name
 * that it does not show is documented (by the service's public reference), observed (more than one public integration
 * uses it) or guessed.
 *
 * @module notetaker-sdk
 */

export type { AssumptionOverrides } from "./assumptions.js";
export type { Issue } from "./checks/format-issues.js";
export type { IssueCode } from "./checks/issue-code.js";
export { Notetaker } from "./client.js";
export { decodeDocx, parseBlocks } from "./documents/content.js";
export type { DocumentKind } from "./documents/find-document.js";

export * from "./errors/api-error.js";
export * from "./errors/argument-errors.js";
export * from "./errors/call-errors.js";
export type { AnyNotetakerError } from "./errors/error-classes.js";
export { isNotetakerError } from "./errors/error-of-record.js";
export { errorResponse } from "./errors/error-response.js";
export { type ErrorFields, NotetakerError, type Outcome } from "./errors/notetaker-error.js";
export type { RateLimit } from "./errors/rate-limit.js";
export * from "./errors/webhook-verification-error.js";

export { type MeetingLink, parseMeetingLink } from "./links/parse-meeting-link.js";
export * from "./lists/fake-page.js";
export type { ListOptions } from "./lists/list-options.js";
export { Page, PagePromise } from "./lists/page.js";
export type { DownloadOptions, DownloadProgress, RecordingDownload } from "./media/download/download-recording.js";
export type { UploadInput, UploadOptions, UploadProgress } from "./media/upload/upload-options.js";
export type { UploadSource } from "./media/upload/upload-source.js";
export type * from "./notetaker-like.js";
export type { Documents } from "./resources/documents.js";
export type { Meetings } from "./resources/meetings.js";
export type { PermissionPage, Permissions } from "./resources/permissions.js";
export type { Rooms } from "./resources/rooms.js";
export type { Settings } from "./resources/settings.js";
export type { EnsuredWebhook, Webhooks } from "./resources/webhooks.js";
export {
  type Automation,
  type AutomationParams,
  automationSchema,
  notetakerAutomationParamsSchema,
} from "./schemas/automation.js";
export {
  type EventBotResult,
  eventBotResultSchema,
  type SendBotParams,
  type SendBotResult,
  sendBotParamsSchema,
  sendBotResultSchema,
} from "./schemas/bot.js";
export {
  type Document,
  type DocumentFormat,
  type DocumentGetParams,
  type DocumentIn,
  type DocumentReference,
  documentGetParamsSchema,
  documentSchema,
} from "./schemas/document.js";
export type { ErrorDetail, ValidationIssue } from "./schemas/error-envelope.js";
export * from "./schemas/event.js";
export type { MeetingId } from "./schemas/ids.js";

export {
  type ExpandedMeeting,
  type Host,
  MEETING_STATUSES,
  type Meeting,
  type MeetingExpansion,
  type MeetingSource,
  type MeetingStatus,
  type MeetingSummary,
  type MeetingWith,
  meetingSchema,
  type Participant,
} from "./schemas/meeting.js";
export {
  type MeetingGetParams,
  type MeetingListParams,
  meetingListParamsSchema,
  type UpcomingMeeting,
  upcomingMeetingSchema,
} from "./schemas/meeting-list.js";
export { type PageEnvelope, SCOPES } from "./schemas/page.js";
export type { InvalidRow } from "./schemas/page-rows.js";
export {
  type Permission,
  type PermissionListParams,
  type PermissionSetParams,
  permissionListParamsSchema,
  permissionSchema,
  permissionSetParamsSchema,
  type Recipient,
} from "./schemas/permission.js";
export type { Schema } from "./schemas/primitives.js";
export * from "./schemas/recording.js";
export {
  type ExpandedRoom,
  type Room,
  type RoomExpansion,
  type RoomGetParams,
  type RoomListParams,
  type RoomWith,
  roomListParamsSchema,
  roomSchema,
} from "./schemas/room.js";
export type { StandardSchema } from "./schemas/standard-schema.js";
export { type Segment, type Speaker, type Transcript, transcriptSchema } from "./schemas/transcript.js";
export { type UploadParams, type UploadResult, uploadParamsSchema, uploadResultSchema } from "./schemas/upload.js";
export {
  type CreatedWebhook,
  createdWebhookSchema,
  type EnsureWebhookParams,
  type SecretStore,
  type Webhook,
  type WebhookCreateParams,
  type WebhookUpdateParams,
  webhookCreateParamsSchema,
  webhookSchema,
  webhookUpdateParamsSchema,
} from "./schemas/webhook.js";
export { type MemoryStore, memoryStore, type StoredMeeting } from "./sync/memory-store.js";
export type { MissingPiece } from "./sync/pieces.js";
export type { MeetingChange } from "./sync/store.js";
export {
  type HeldStore,
  type MeetingStore,
  type RemovedItem,
  type StoreBatch,
  type StoreHealth,
  type StoreItem,
  type StoreLock,
  StoreLockLostError,
} from "./sync/store.js";
export { syncMeetings } from "./sync/sync-meetings.js";
export type { Budget, SyncFormats, SyncOptions, SyncProgress, SyncResult } from "./sync/sync-options.js";

export type { ThrottleReport } from "./throttle/throttle.js";
export * from "./transport/api-promise.js";
export type { ClientOptions } from "./transport/client-options.js";
export type { Fetch, FetchInit, FetchOptions } from "./transport/fetch.js";
export type { LogFields, LogFunction, Logger } from "./transport/logger.js";
export type { Middleware, MiddlewareContext, Token, ValidationMode } from "./transport/option-types.js";

export type { RequestOptions } from "./transport/request-options.js";
export type { RetryReport } from "./transport/retry-policy.js";
export type { PollReport, WaitOptions } from "./waiting/wait-options.js";
export type { WalkedMeeting } from "./walk/fetch-meeting.js";
export { walkMeetings } from "./walk/walk-meetings.js";
export type { WalkFormats, WalkOptions, WantedParts } from "./walk/walk-options.js";
