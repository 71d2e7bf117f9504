/** One webhook delivery: what it says, and how it went. */
import type { KnownEventKind } from "../schemas/event.js";
import { shownMeeting } from "./show.js";
import type { MeetingRecord } from "./state.js";

/** Level A: how long a receiver may take, and the waits before each retry. */
export const DELIVERY_TIMEOUT_MS = 10_000;
export const RETRY_DELAYS_MS = [1_000, 10_000, 60_000] as const;

export interface DeliveryAttempt {
  /** The emulator's time, in milliseconds since 1970. */
  at: number;
  /** What the receiver answered. */
  status?: number;
  /** Why there was no answer. */
  error?: string;
}

export interface Delivery {
  id: string;
  webhookId: string;
  url: string;
  event: KnownEventKind;
  meetingId: string;
  /** The body, byte for byte as it is signed. */
  body: string;
  /** The headers of the last attempt, with the signature; also where none was made because the delivery is skipped. */
  headers: Record<string, string>;
  /**
   * `pending`: an attempt is due, or under way; `held`: waits for `release`; `delivered`: answered 2xx; `failed`: given up;
   * `skipped`: its address is none that the emulator calls.
   */
  state: "pending" | "held" | "delivered" | "failed" | "skipped";
  attempts: DeliveryAttempt[];
  /** When the next attempt is due, or the one under way was. */
  dueAt: number | null;
  /** How many attempts count against the retries; a redelivery starts again. */
  tries: number;
  /** Spoils the next attempt. */
  corrupt: "body" | "signature" | null;
}

/** The payload (level A: a meeting as the list returns it; level B: the kind as `event`). */
export const payloadOf = (event: KnownEventKind, meeting: MeetingRecord): string =>
  JSON.stringify({ event, ...shownMeeting(meeting) });

/** Whether an outcome is one that the service tries again (level A): 5xx, 429 and no answer. */
export const isRetried = ({ status }: DeliveryAttempt) => status === undefined || status === 429 || status >= 500;

export const isSuccess = ({ status }: DeliveryAttempt) => status !== undefined && status >= 200 && status < 300;
