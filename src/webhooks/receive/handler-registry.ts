import { kindOf, quoted } from "../../checks/format-issues.js";
import { nearestName } from "../../checks/unknown-name.js";
import { ConfigurationError, InvalidArgumentError } from "../../errors/argument-errors.js";
import { EVENT_KINDS, type KnownEventKind } from "../../schemas/event.js";
import { isKnownKind, type MeetingEvent, type WebhookEvent } from "../event/event.js";

/** The second argument of a handler. */
export interface DeliveryContext<Context = unknown> {
  /** The same for each delivery of an event to a webhook: 43 characters of `A-Z a-z 0-9 _ -`, fit for a job id. */
  deliveryKey: string;
  /** Aborts at the deadline. Work that should finish anyway can ignore it: a redelivery is not handled meanwhile. */
  signal: AbortSignal;
  /** The request that brought the delivery. Its body has been read. */
  request: Request;
  /** The second argument of `handle`. */
  context: Context;
  /** The index of the secret that matched in the list of secrets; 0 for a single secret. */
  secretIndex: number;
}

/** Handles one event. If it throws or rejects, the service delivers the event again. */
export type EventHandler<E extends WebhookEvent = WebhookEvent, Context = unknown> = (
  event: E,
  context: DeliveryContext<Context>,
) => unknown;

/** A handler for each known kind. */
export type EventHandlers<Context = unknown> = {
  readonly [K in KnownEventKind]?: EventHandler<MeetingEvent<K>, Context> | undefined;
};

type AnyHandler<Context> = EventHandler<never, Context>;

const OTHER = Symbol("other kinds");

/** By how many characters a misspelt kind may differ from the suggested one. */
const MAX_TYPING_MISTAKES = 7;

/** How many kinds without a handler are named. The sender could invent ever new ones. */
const MAX_NAMED_KINDS = 100;

/** The handlers of a receiver: at most one per kind, and one for all other events. */
export class HandlerRegistry<Context> {
  readonly #handlers = new Map<string | symbol, AnyHandler<Context>>();
  readonly #namedKinds = new Set<string>();

  add(kind: string, handler: AnyHandler<Context>, where: string): void {
    checkKind(kind, where);
    this.#register(kind, kind, handler);
  }

  addOther(handler: AnyHandler<Context>): void {
    this.#register(OTHER, "onUnhandled", handler);
  }

  #register(key: string | symbol, name: string, handler: AnyHandler<Context>): void {
    if (typeof handler !== "function") {
      throw new ConfigurationError({ message: `${name}: expected a function as handler, received ${typeof handler}` });
    }
    if (this.#handlers.has(key))
      throw new ConfigurationError({ message: `${name}: a handler for this kind is already registered` });
    this.#handlers.set(key, handler);
  }

  /** A known kind without a meeting id goes to the handler of other events. Throws without one: no 200 then. */
  handlerOf({ kind, meetingId }: WebhookEvent): EventHandler<WebhookEvent, Context> | undefined {
    const handler = this.#handlers.get(kind);
    const fitting = meetingId !== undefined || !isKnownKind(kind) ? handler : undefined;
    const chosen = fitting ?? this.#handlers.get(OTHER);
    if (chosen === undefined && handler !== undefined) {
      throw new ConfigurationError({ message: `${kind}: the event has no meeting id; handle it with onUnhandled()` });
    }
    // Each handler is registered for the kind of event that it takes.
    return chosen as EventHandler<WebhookEvent, Context> | undefined;
  }

  logUnhandled(kind: string): void {
    if (this.#namedKinds.has(kind) || this.#namedKinds.size >= MAX_NAMED_KINDS) return;
    this.#namedKinds.add(kind);
    console.warn(`notetaker-sdk: no handler for events of the kind ${quoted(kind)}; they get 200 and are dropped`);
  }
}

/** A handler of any other kind would never be called: no event would have that kind. */
function checkKind(kind: unknown, where: string): void {
  if (typeof kind === "string" && isKnownKind(kind)) return;
  const text = typeof kind === "string" ? kind : "";
  const nearest =
    EVENT_KINDS.find((known) => text !== "" && known.endsWith(`.${text}`)) ??
    nearestName(text, EVENT_KINDS, MAX_TYPING_MISTAKES);
  const received = typeof kind === "string" ? quoted(kind) : kindOf(kind);
  const suggestion = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  const message = `unknown kind ${received}${suggestion} (known: ${EVENT_KINDS.join(", ")}; for all others: onUnhandled)`;
  throw new InvalidArgumentError({ operation: where, issues: [{ path: "kind", code: "not_one_of", message }] });
}
