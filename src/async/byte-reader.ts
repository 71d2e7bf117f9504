import { ASYNC_ITERATOR, isAsyncIterable } from "./symbols.js";

export interface ReadResult {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/** Reads bytes from one source: a web stream, a Node stream, or any other async iterable. */
export interface ByteReader {
  read(): Promise<ReadResult>;
  close(reason: unknown): void;
}

/** Methods that a `node:stream` Readable has, unlike most async iterables. */
interface NodeStreamMethods {
  on?(event: "error", listener: () => void): void;
  destroy?(): void;
}

/** The request that a Node server has received. To destroy it would close the connection before the response. */
interface ReceivedRequest {
  iterator(options: { destroyOnReturn: boolean }): AsyncIterator<unknown>;
  resume(): void;
}

/** The response that a Node client has received has the same members, but its `method` is null. */
const isReceivedRequest = (value: object): value is ReceivedRequest =>
  hasMethod(value, "iterator") && "socket" in value && "method" in value && typeof value.method === "string";

async function ignoreFailure(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // The source is not needed any more.
  }
}

export const hasMethod = (value: unknown, method: PropertyKey): boolean =>
  typeof (value as Record<PropertyKey, unknown> | null | undefined)?.[method] === "function";

export const isWebStream = (value: unknown): value is ReadableStream => hasMethod(value, "getReader");

/** Whether `value` is a web stream or an async iterable. Only web streams have `locked`. */
export const isReadable = (value: unknown): value is (ReadableStream | AsyncIterable<unknown>) & { locked?: boolean } =>
  isWebStream(value) || isAsyncIterable(value);

export function byteReader(source: ReadableStream | AsyncIterable<unknown>): ByteReader {
  if (!isReadable(source)) throw new TypeError("expected a stream");
  return isWebStream(source) ? webStreamReader(source) : iterableReader(source);
}

function webStreamReader(stream: ReadableStream): ByteReader {
  const reader = stream.getReader();
  return { read: () => reader.read(), close: (reason) => void ignoreFailure(() => reader.cancel(reason)) };
}

function iterableReader(iterable: AsyncIterable<unknown>): ByteReader {
  const received = isReceivedRequest(iterable) ? iterable : undefined;
  const nodeStream = iterable as NodeStreamMethods;
  // Without a listener, a Node stream that fails before it is read (no such file) would end the process. Reading the
  // stream reports the error.
  nodeStream.on?.("error", () => {});
  const iterator = received?.iterator({ destroyOnReturn: false }) ?? iterable[ASYNC_ITERATOR]();
  return {
    // An iterator may return a plain result, or throw at once.
    read: async () => iterator.next(),
    close() {
      // A generator that is waiting for its next value handles `return` only when that value has arrived. `destroy`
      // ends a Node stream at once.
      if (received === undefined) nodeStream.destroy?.();
      void ignoreFailure(async () => {
        await iterator.return?.();
        // The rest is drained.
        received?.resume();
      });
    },
  };
}

/** Closes a body without reading it. Does nothing if another reader has locked it. */
export function discardBody({ body }: { readonly body?: unknown }): void {
  if (isReadable(body) && !body.locked) byteReader(body).close(undefined);
}
