import Link from "next/link";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { turns } from "notetaker-sdk/transcript";
import { Suspense } from "react";
import Markdown from "react-markdown";
import { Transcript } from "../../../components/transcript";
import { found } from "../../../lib/meetings";
import { notetaker } from "../../../lib/notetaker";

interface Props {
  params: Promise<{ id: string }>;
}

export default function MeetingPage({ params }: Props) {
  return (
    <main>
      <Link href="/">All meetings</Link>
      <Suspense fallback={<p>Loading …</p>}>
        <Meeting params={params} />
      </Suspense>
    </main>
  );
}

/** Summary and transcript are sent as soon as each of them is read. */
async function Meeting({ params }: Props) {
  const { id } = await params;
  await connection(); // read at each request
  const meeting = await found(notetaker().meetings.get(id));
  if (meeting === undefined) notFound();
  return (
    <>
      <h1>{meeting.title ?? "Untitled"}</h1>
      {meeting.status === "failed" && <p role="alert">It was not recorded.</p>}
      <Suspense fallback={<p>Loading the summary …</p>}>
        <Summary id={id} />
      </Suspense>
      <Suspense fallback={<p>Loading the transcript …</p>}>
        <Lines id={id} />
      </Suspense>
    </>
  );
}

/** The page has one `h1`, its title: the headings of a summary stand below it. */
const BELOW = { h1: "h2", h2: "h3", h3: "h4", h4: "h5", h5: "h6" } as const;

/** `react-markdown` shows no HTML of the text, so that nothing in it can run. */
async function Summary({ id }: { id: string }) {
  const format = { format: "markdown" } as const;
  const summary = await notetaker().documents.find(id, "summary", format);
  return summary && <Markdown components={BELOW}>{summary.content}</Markdown>;
}

async function Lines({ id }: { id: string }) {
  const transcript = await found(notetaker().meetings.getTranscript(id));
  if (transcript === undefined) return <p>The transcript is not ready yet.</p>;
  return <Transcript id={id} lines={turns(transcript)} />;
}
