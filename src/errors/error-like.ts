/** An error by its shape: one of another realm (a test runner's, a frame's) is no `instanceof Error` here. */
export interface ErrorLike {
  name: string;
  message: string;
  code?: unknown;
  cause?: unknown;
  errors?: readonly unknown[];
}

export const isErrorLike = (value: unknown): value is ErrorLike =>
  typeof value === "object" && value !== null && typeof (value as Partial<ErrorLike>).message === "string";
