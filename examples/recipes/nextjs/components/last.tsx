"use client";
import { type ReactNode, useState } from "react";
import { useRefresh } from "./live";
import { button, problem as looks } from "./styles";

interface Props {
  children?: ReactNode;
  problem?: string;
}

/** Shows what it has shown last, as long as the server sends a problem instead. */
export function Last({ children, problem }: Props) {
  const refresh = useRefresh();
  const [last, setLast] = useState(children);
  if (children && children !== last) setLast(children);
  return (
    <>
      {problem && (
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <p role="alert" className={looks}>
            {problem}
          </p>
          <button type="button" className={button.quiet} onClick={refresh}>
            Try again
          </button>
        </div>
      )}
      {children ?? last}
    </>
  );
}
