"use client";
import { type ReactNode, useState } from "react";
import { problem as looks } from "./styles";

interface Props {
  children?: ReactNode;
  problem?: string;
}

/** Shows what it has shown last, as long as the server sends a problem instead. */
export function Last({ children, problem }: Props) {
  const [last, setLast] = useState(children);
  if (children && children !== last) setLast(children);
  return (
    <>
      {problem && (
        <p role="alert" className={`mb-4 ${looks}`}>
          {problem}
        </p>
      )}
      {children ?? last}
    </>
  );
}
