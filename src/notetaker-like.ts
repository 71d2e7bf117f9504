/** The shape of the client, for functions that take a client and for tests that replace it with a fake. */
import type { CustomRequestOptions, Notetaker } from "./client.js";
import type { HttpMethod } from "./endpoints/endpoint.js";
import type { SchemaOutput, StandardSchema } from "./schemas/standard-schema.js";
import type { ApiPromise } from "./transport/api-promise.js";

/** A method whose fake may return any promise of its result. A list method returns a list: see `fakePage`. */
type MethodLike<Method> = Method extends (...args: infer Args) => infer Result
  ? Result extends AsyncIterable<unknown>
    ? (...args: Args) => Result
    : Result extends ApiPromise<infer Data>
      ? (...args: Args) => Promise<Data>
      : Method
  : Method;

type ResourceLike<Resource> = { readonly [Name in keyof Resource]: MethodLike<Resource[Name]> };

/**
 * The shape of {@link Notetaker}. If a function has a parameter of this type, a test can pass a fake object. Its
 * methods return plain promises, and its list methods return what `fakePage` makes.
 *
 * @example
 * async function titles(notetaker: { rooms: Pick<NotetakerLike["rooms"], "list"> }) {
 *   const titles: string[] = [];
 *   for await (const room of notetaker.rooms.list()) titles.push(room.title);
 *   return titles;
 * }
 */
export interface NotetakerLike {
  /** Bots, uploads, transcripts, recordings, and the list of meetings. */
  readonly meetings: ResourceLike<Notetaker["meetings"]>;
  /** Rooms, which group related meetings. */
  readonly rooms: ResourceLike<Notetaker["rooms"]>;
  /** Summaries, action items and notes. */
  readonly documents: ResourceLike<Notetaker["documents"]>;
  /** Who may see the meetings that the user owns. */
  readonly permissions: ResourceLike<Notetaker["permissions"]>;
  /** Subscriptions to events. */
  readonly webhooks: ResourceLike<Notetaker["webhooks"]>;
  /** The note-taker automation. */
  readonly settings: ResourceLike<Notetaker["settings"]>;
  /** Calls an endpoint for which this library has no method. */
  request<S extends StandardSchema = StandardSchema>(
    method: HttpMethod,
    path: string,
    options?: CustomRequestOptions<S>,
  ): Promise<SchemaOutput<S>>;
}
