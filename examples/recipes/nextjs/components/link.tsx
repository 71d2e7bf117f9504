"use client";
import NextLink from "next/link";
import type { ComponentProps } from "react";
import { useLive } from "./live";

/** A link that does not leave the page while the server cannot be reached. */
export function Link(props: ComponentProps<typeof NextLink>) {
  const { isAway } = useLive();
  return (
    <NextLink
      {...props}
      prefetch={false}
      onNavigate={(event) => isAway && event.preventDefault()}
    />
  );
}
