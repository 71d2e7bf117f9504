/** How the receiver and the relay tell their owner of what went wrong: the other side only sees a status. */

export const logToConsole = (error: unknown) => console.error("notetaker-sdk:", error);

/** `report`, by default `console.error`. One that itself throws does not change the answer. */
export const reporter =
  <Context>(report: (error: unknown, context: Context) => void = logToConsole) =>
  (error: unknown, context: Context): void => {
    try {
      report(error, context);
    } catch (thrown) {
      logToConsole(thrown);
    }
  };
