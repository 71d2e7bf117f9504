/**
 * What an async iterable is recognised by. Hermes, the engine of React Native, may lack `Symbol.asyncIterator`: what
 * Babel makes of `for await` then looks for this name.
 */
export const ASYNC_ITERATOR: typeof Symbol.asyncIterator = Symbol.asyncIterator ?? ("@@asyncIterator" as never);
