"use client";
import { type ReactNode, useState } from "react";

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
      {problem && <p role="alert">{problem}</p>}
      <div>{children ?? last}</div>
    </>
  );
}
