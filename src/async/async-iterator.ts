/**
 * The name of the method that makes an object an async iterable. Hermes, the engine of React Native, may lack
 * `Symbol.asyncIterator`. The code that Babel generates for `for await` then looks for `@@asyncIterator`.
 */
export const ASYNC_ITERATOR: typeof Symbol.asyncIterator = Symbol.asyncIterator ?? ("@@asyncIterator" as never);
