"use client";
import { Notice } from "../components/notice";
import { button } from "../components/styles";

/** For what no `Kept` and no form has caught: a fault of this application. */
export default function Failure({ reset }: { reset(): void }) {
  return (
    <Notice icon="alert" title="This did not work.">
      <button type="button" className={button.quiet} onClick={reset}>
        Try again
      </button>
    </Notice>
  );
}
