import { expectedType } from "./checks/format-issues.js";
import { configuration } from "./configuration/configuration.js";
import type { HttpMethod } from "./endpoints/endpoint.js";
import { ConfigurationError } from "./errors/argument-errors.js";
import { isRecord } from "./json/is-record.js";
import { withChanges } from "./json/with-changes.js";
import { customOperation } from "./resources/custom-operation.js";
import { Documents } from "./resources/documents.js";
import { Meetings } from "./resources/meetings.js";
import { Permissions } from "./resources/permissions.js";
import { Rooms } from "./resources/rooms.js";
import { Settings } from "./resources/settings.js";
import { Webhooks } from "./resources/webhooks.js";
import type { SchemaOutput, StandardSchema } from "./schemas/standard-schema.js";
import type { ApiPromise } from "./transport/api-promise.js";
import type { ClientOptions } from "./transport/client-options.js";
import { hiddenField } from "./transport/hidden-field.js";
import type { RequestOptions } from "./transport/request-options.js";
import { Transport } from "./transport/transport.js";

export interface CustomRequestOptions<S extends StandardSchema = StandardSchema> extends RequestOptions {
  /** The request body, sent as JSON. */
  body?: unknown;
  /** Validates the body: any [Standard Schema](https://standardschema.dev). Without it: as received. */
  schema?: S | undefined;
}

interface ClientState {
  readonly options: ClientOptions;
  readonly transport: Transport;
}

const states = /* @__PURE__ */ hiddenField<ClientState>("state");

/**
 * The client of the note-taker service. Constructing a client opens no connection and starts no timer.
 *
 * @example
 * const notetaker = new Notetaker({ baseUrl: "https://api.example.com/v1", token: process.env.NOTETAKER_TOKEN });
 * for await (const room of notetaker.rooms.list()) console.log(room.title);
 */
export class Notetaker {
  /** Bots, uploads, transcripts, recordings, and the list of meetings. */
  readonly meetings: Meetings;
  /** Rooms, which group related meetings. */
  readonly rooms: Rooms;
  /** Summaries, action items and notes. */
  readonly documents: Documents;
  /** Who may see the meetings that the user owns. */
  readonly permissions: Permissions;
  /** Subscriptions to events. */
  readonly webhooks: Webhooks;
  /** The note-taker automation. */
  readonly settings: Settings;

  /**
   * @throws {ConfigurationError} if the token is missing, or if `baseUrl` or another option
   * is invalid
   */
  constructor(options: ClientOptions = {}) {
    const transport = new Transport(configuration(options));
    const { baseUrl, token } = transport.config;
    // A copy: what `withOptions` makes later has the account of this client, whatever the environment holds by then.
    states.set(this, { options: { ...options, baseUrl, token }, transport });
    this.meetings = new Meetings(transport);
    this.rooms = new Rooms(transport);
    this.documents = new Documents(transport);
    this.permissions = new Permissions(transport);
    this.webhooks = new Webhooks(transport);
    this.settings = new Settings(transport);
  }

  /**
   * Creates another client. `options` replace this client's options of the same names; the other options stay as they
   * are. Both clients share one throttle, unless `options` contains a `throttle`. If the new client has the token of
   * another account, pass `throttle: true`. The clients share no other state. An option that is `undefined` counts as
   * not given.
   *
   * @throws {ConfigurationError} as the constructor does
   * @example
   * const patient = notetaker.withOptions({ timeoutMs: 120_000 });
   */
  withOptions(options: ClientOptions): Notetaker {
    if (!isRecord(options))
      throw new ConfigurationError({ message: `withOptions: ${expectedType("object", options)}` });
    const { options: own, transport } = states.get(this);
    return new Notetaker(withChanges({ ...own, throttle: transport.config.throttle }, options));
  }

  /**
   * Calls an endpoint for which this library has no method, with the same authentication, errors and limits. With a
   * schema, the response is validated. `path` is relative to `baseUrl`. A GET is retried like every other GET. A
   * request with another method is retried only if it certainly had no effect (a 429, or a connection that was never
   * made), because the client cannot know whether it is safe to repeat. A response without a body resolves to
   * `undefined`.
   *
   * @example
   * const { name } = await notetaker.request("GET", "/teams/team_1", { schema: z.object({ name: z.string() }) });
   */
  request<S extends StandardSchema = StandardSchema>(
    method: HttpMethod,
    path: string,
    options: CustomRequestOptions<S> = {},
  ): ApiPromise<SchemaOutput<S>> {
    const { body, schema } = (isRecord(options) ? options : {}) as CustomRequestOptions<S>;
    const { transport } = states.get(this);
    return transport.send(customOperation(method, path, body, schema), options);
  }
}
