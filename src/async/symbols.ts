/**
 * The name of the method that makes an object an async iterable. Hermes, the engine of React Native, may lack
 * `Symbol.asyncIterator`. The code that Babel generates for `for await` then looks for `@@asyncIterator`.
 */
export const ASYNC_ITERATOR: typeof Symbol.asyncIterator = Symbol.asyncIterator ?? ("@@asyncIterator" as never);

/** Whether `for await` can read `value`. */
export const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof (value as Partial<AsyncIterable<unknown>> | null | undefined)?.[ASYNC_ITERATOR] === "function";

/**
 * The member `[Symbol.asyncDispose]`, if the user's TypeScript `lib` declares that symbol; else no member. So the types
 * also work with an older `lib`.
 */
export type AsyncDisposeMember = SymbolConstructor extends { readonly asyncDispose: infer Key extends symbol }
  ? { readonly [Name in Key]: () => Promise<void> }
  : object;

/** Adds `[Symbol.asyncDispose]` to `target`, for `await using`, if the runtime has the symbol. */
export function withAsyncDispose<Target extends object>(
  target: Target,
  dispose: () => Promise<void>,
): Target & AsyncDisposeMember {
  const { asyncDispose } = Symbol as { asyncDispose?: symbol };
  if (asyncDispose !== undefined) Object.defineProperty(target, asyncDispose, { value: dispose });
  return target as Target & AsyncDisposeMember;
}
