import { connection } from "next/server";
import { isNotetakerError } from "notetaker-sdk/browser";
import type { ReactNode } from "react";
import { failure } from "../lib/meetings";
import { Last } from "./last";

/** What `render` reads, at each request. If that fails, an open page keeps what it has. */
export async function Kept({ render }: { render: () => Promise<ReactNode> }) {
  await connection();
  let shown: ReactNode;
  try {
    shown = await render();
  } catch (error) {
    if (!isNotetakerError(error)) throw error; // such as that of `notFound`
    return <Last problem={await failure(error)} />;
  }
  return <Last>{shown}</Last>;
}
