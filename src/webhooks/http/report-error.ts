/** How the receiver and the relay report errors to the application. Clients see only a status. */

export const logToConsole = (error: unknown): void => console.error("notetaker-sdk:", error);

/** Wraps `report` (default `console.error`) so that an error thrown by it does not change the response. */
export const errorReporter =
  <Context>(report: (error: unknown, context: Context) => void = logToConsole) =>
  (error: unknown, context: Context): void => {
    try {
      report(error, context);
    } catch (thrown) {
      logToConsole(thrown);
    }
  };
