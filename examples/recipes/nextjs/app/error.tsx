"use client";
import { button, notice } from "../components/styles";

/** For what no `Kept` and no form has caught: a fault of this application. */
export default function Failure({ reset }: { reset(): void }) {
  return (
    <div className={notice}>
      <p role="alert" className="mb-4">
        This did not work.
      </p>
      <button type="button" className={button.quiet} onClick={reset}>
        Try again
      </button>
    </div>
  );
}
