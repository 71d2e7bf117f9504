/** Hermes may lack `Symbol.asyncIterator`; Babel's code for `for await` then looks for `@@asyncIterator`. */
export const ASYNC_ITERATOR: typeof Symbol.asyncIterator = Symbol.asyncIterator ?? ("@@asyncIterator" as never);

export const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[ASYNC_ITERATOR] === "function";

declare global {
  // As in @types/node, so that the types need no newer `lib`. Linters only find a member that is declared by this name.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** For `await using`. The member is missing if the runtime does not have `Symbol.asyncDispose`. */
export interface AsyncDisposeMember {
  /** Ends it, and resolves when it has ended. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Adds `[Symbol.asyncDispose]` to `target`, for `await using`, if the runtime has the symbol. */
export function withAsyncDispose<Target extends object>(
  target: Target,
  dispose: () => Promise<void>,
): Target & AsyncDisposeMember {
  const { asyncDispose } = Symbol as { asyncDispose?: symbol };
  if (asyncDispose !== undefined) Object.defineProperty(target, asyncDispose, { value: dispose });
  return target as Target & AsyncDisposeMember;
}
