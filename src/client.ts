import type * as z from "zod/mini";
import type { ClientOptions } from "./configuration/client-options.js";
import { configuration } from "./configuration/configuration.js";
import type { QueryValue, RequestOptions } from "./options.js";
import { Documents } from "./resources/documents.js";
import { Meetings } from "./resources/meetings.js";
import { Permissions } from "./resources/permissions.js";
import { Rooms } from "./resources/rooms.js";
import { Settings } from "./resources/settings.js";
import { Webhooks } from "./resources/webhooks.js";
import type { ApiPromise } from "./transport/api-promise.js";
import { customOperation } from "./transport/custom-operation.js";
import type { HttpMethod } from "./transport/operation.js";
import { without } from "./transport/request-options-schema.js";
import { Transport } from "./transport/transport.js";

/** Options of {@link Notetaker.request}. */
export interface CustomRequestOptions<S extends z.core.$ZodType = z.core.$ZodType> extends RequestOptions {
  query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Validates the response body. Without it, the body is returned as received. */
  schema?: S | undefined;
}

/**
 * The client of the note-taker service. Constructing it opens nothing and starts nothing.
 *
 * @example
 * const notetaker = new Notetaker({ baseUrl: "https://api.example.com/v1", token: process.env.NOTETAKER_TOKEN });
 * for await (const room of notetaker.rooms.list()) console.log(room.title);
 */
export class Notetaker {
  readonly meetings: Meetings;
  readonly rooms: Rooms;
  readonly documents: Documents;
  readonly permissions: Permissions;
  readonly webhooks: Webhooks;
  readonly settings: Settings;
  readonly #transport: Transport;

  /** @throws {ConfigurationError} if the token is missing or baseUrl is invalid */
  constructor(options: ClientOptions = {}) {
    const transport = new Transport(configuration(options));
    this.#transport = transport;
    this.meetings = new Meetings(transport);
    this.rooms = new Rooms(transport);
    this.documents = new Documents(transport);
    this.permissions = new Permissions(transport);
    this.webhooks = new Webhooks(transport);
    this.settings = new Settings(transport);
  }

  /**
   * Reaches an endpoint that has no method here, with the same authentication, errors and limits, and with a schema
   * the same validation. `path` is below the base address. A GET is retried like every GET; any other method only
   * after a 429, since whether it may be repeated is not known. An answer without content resolves to `undefined`.
   *
   * @example
   * const { name } = await notetaker.request("GET", "/teams/team_1", { schema: z.object({ name: z.string() }) });
   */
  request<S extends z.core.$ZodType = z.core.$ZodType<unknown>>(
    method: HttpMethod,
    path: string,
    options: CustomRequestOptions<S> = {},
  ): ApiPromise<z.core.output<S>> {
    const { body, schema } = Object(options) as typeof options;
    return this.#transport.send(customOperation(method, path, body, schema), without(options, "body", "schema"));
  }
}
