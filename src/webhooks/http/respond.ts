/** How the receiver and the relay respond, and how they report errors to the application. */

/** An error has the shape of the service's own error envelope. */
export function statusResponse(
  status: number,
  code: string,
  message: string = code,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = status === 200 ? { status: code } : { error: { code, message } };
  return new Response(JSON.stringify(body), { status, headers: { ...headers, "Content-Type": "application/json" } });
}

/** Next.js throws errors with a `digest` for a redirect, and when a route that is built reads its request. */
export const isControlFlow = (error: unknown): boolean =>
  typeof (error as { digest?: unknown } | null | undefined)?.digest === "string";

/** The default report of an error to the application. Clients see only a status. */
export const logToConsole = (error: unknown): void => console.error("notetaker-sdk:", error);

export const logRejection = (result: unknown): void => void Promise.resolve(result).catch(logToConsole);

/** Calls a callback of the application. What it throws is logged: it must not change a response. */
export function callSafely(callback: () => unknown): void {
  try {
    logRejection(callback());
  } catch (error) {
    logToConsole(error);
  }
}
