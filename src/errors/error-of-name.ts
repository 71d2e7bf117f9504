/** Errors by the name of their class, without the classes: small enough for a web page. */

/** Makes an error of the class `name`, with the message and the fields. */
export type ErrorMaker = (name: string, message: string, fields?: Readonly<Record<string, unknown>>) => Error;

const markerOf = (name: string) => Symbol.for(`notetaker-sdk.${name}`);

/** Whether `error` is an error of this library that a new attempt may solve. */
export const isRetryable = (error: unknown): boolean =>
  markerOf("NotetakerError") in Object(error) && (error as { retryable?: unknown }).retryable === true;

/** An error that `instanceof` recognises as one of the class `name`, by the markers of `named`. */
export const errorOfName: ErrorMaker = (name, message, { cause, ...fields } = {}) => {
  const error = Object.assign(new Error(message), { outcome: "unknown", retryable: false, attempts: 0 }, fields);
  const toJSON = () => ({ ...error, name, message, headers: undefined });
  const hidden: Record<string | symbol, unknown> = {
    name,
    toJSON,
    [markerOf("NotetakerError")]: true,
    [markerOf(name)]: true,
  };
  if (cause !== undefined) hidden.cause = cause;
  // Of the other classes, only this one has a status.
  if ("status" in fields && name !== "ResponseValidationError") hidden[markerOf("ApiError")] = true;
  for (const key of Reflect.ownKeys(hidden))
    Object.defineProperty(error, key, { value: hidden[key], configurable: true });
  return error;
};
