/** How the receiver and the relay tell their owner of what went wrong: the other side only sees a status. */

/** Called with each error, and with what is known of where it happened. */
export type ErrorReporter<Context> = (error: unknown, context: Context) => void;

/** Calls `report`, by default `console.error`. A reporter that itself throws does not change the answer. */
export function reporter<Context>(
  name: string,
  report: ErrorReporter<Context> = (error) => console.error(`notetaker-sdk ${name}:`, error),
): ErrorReporter<Context> {
  return (error, context) => {
    try {
      report(error, context);
    } catch (thrown) {
      console.error(`notetaker-sdk ${name}: onError threw`, thrown);
    }
  };
}
