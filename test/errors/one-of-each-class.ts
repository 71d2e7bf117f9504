import type * as sdk from "notetaker-sdk";

export type Sdk = typeof sdk;

/** One error of each class that one copy of the package exports, except the abstract one. */
export const oneOfEachClass = (from: Sdk): sdk.NotetakerError[] =>
  Object.values<unknown>(from).flatMap((exported) => {
    const isClass = typeof exported === "function" && exported.prototype instanceof from.NotetakerError;
    return isClass && exported !== from.NotetakerError ? new (exported as new () => sdk.NotetakerError)() : [];
  });
