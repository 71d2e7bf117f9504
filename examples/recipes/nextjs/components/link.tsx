"use client";
import NextLink from "next/link";
import type { ComponentProps } from "react";
import { useLive } from "./live";

/** A link that is dimmed, and does not leave the page, while the server cannot be reached. */
export function Link({
  className = "",
  ...props
}: ComponentProps<typeof NextLink>) {
  const { isAway } = useLive();
  return (
    <NextLink
      {...props}
      prefetch={false}
      aria-disabled={isAway || undefined}
      className={`aria-disabled:cursor-default aria-disabled:opacity-60 ${className}`}
      onNavigate={(event) => isAway && event.preventDefault()}
    />
  );
}
