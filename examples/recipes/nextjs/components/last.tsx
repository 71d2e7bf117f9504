"use client";
import { type ReactNode, useState, useTransition } from "react";
import { useLive, useRefresh } from "./live";
import { Notice } from "./notice";
import { button, failure } from "./styles";

interface Props {
  children?: ReactNode;
  problem?: string;
}

/** Shows what it has shown last, as long as the server sends a problem instead. */
export function Last({ children, problem }: Props) {
  const refresh = useRefresh();
  const { isAway } = useLive();
  const [isPending, startTransition] = useTransition();
  const [last, setLast] = useState(children);
  if (children && children !== last) setLast(children);
  const again = (
    <button
      type="button"
      className={button.quiet}
      disabled={isAway || isPending}
      onClick={() => startTransition(refresh)}
    >
      Try again
    </button>
  );
  return (
    <>
      {problem && !last && (
        <Notice icon="alert" title={problem}>
          {again}
        </Notice>
      )}
      {problem && last && (
        <div
          className={`mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 ${failure}`}
        >
          <p role="alert">{problem}</p>
          {again}
        </div>
      )}
      {children ?? last}
    </>
  );
}
