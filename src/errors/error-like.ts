/**
 * An error, recognised by its shape: for errors of another realm (test runner, iframe), `instanceof Error` is false.
 */
export interface ErrorLike {
  name: string;
  message: string;
  code?: unknown;
  cause?: unknown;
  errors?: readonly unknown[];
}

export const isErrorLike = (value: unknown): value is ErrorLike =>
  typeof value === "object" && value !== null && typeof (value as Partial<ErrorLike>).message === "string";
