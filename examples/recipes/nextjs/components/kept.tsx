import { connection } from "next/server";
import { isNotetakerError } from "notetaker-sdk/browser";
import type { ReactNode } from "react";
import { sentenceOf } from "../lib/sentence-of";
import { Last } from "./last";

/** What `render` reads, at each request. If that fails, an open page keeps what it has. */
export async function Kept({ render }: { render: () => Promise<ReactNode> }) {
  await connection();
  try {
    return <Last>{await render()}</Last>;
  } catch (error) {
    if (!isNotetakerError(error)) throw error; // such as that of `notFound`
    console.error(error);
    const noAnswer = "The service does not answer. This page tries again.";
    return <Last problem={sentenceOf(error, noAnswer)} />;
  }
}
