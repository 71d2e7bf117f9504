import Link from "next/link";
import { notFound } from "next/navigation";
import { turns } from "notetaker-sdk/transcript";
import { type ReactNode, Suspense } from "react";
import Markdown from "react-markdown";
import { Kept } from "../../../components/kept";
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
        <Kept render={() => meeting(params)} />
      </Suspense>
    </main>
  );
}

/** Summary and transcript are sent as soon as each of them is read. */
async function meeting(params: Props["params"]) {
  const { id } = await params;
  const meeting = await found(() => notetaker().meetings.get(id));
  if (meeting === undefined) notFound();
  const title = meeting.title ?? "Untitled";
  return (
    <>
      <h1>{title}</h1>
      {meeting.status === "failed" ? (
        <p role="alert">It was not recorded.</p>
      ) : (
        <>
          <Suspense fallback={<p>Loading the summary …</p>}>
            <Kept render={() => summary(id, title)} />
          </Suspense>
          <Suspense fallback={<p>Loading the transcript …</p>}>
            <Kept render={() => transcript(id)} />
          </Suspense>
        </>
      )}
    </>
  );
}

/** The page has one `h1`, its title: the headings of a summary stand below it. */
const BELOW = { h2: "h3", h3: "h4", h4: "h5", h5: "h6" } as const;

/** `react-markdown` shows no HTML of the text, so that nothing in it can run. */
async function summary(id: string, title: string) {
  const format = { format: "markdown" } as const;
  const summary = await notetaker().documents.find(id, "summary", format);
  if (summary === undefined) return <p>There is no summary yet.</p>;
  const h1 = ({ children }: { children?: ReactNode }) =>
    children !== title && <h2>{children}</h2>;
  return <Markdown components={{ ...BELOW, h1 }}>{summary.content}</Markdown>;
}

async function transcript(id: string) {
  const transcript = await found(() => notetaker().meetings.getTranscript(id));
  if (transcript === undefined) return <p>The transcript is not ready yet.</p>;
  return <Transcript id={id} lines={turns(transcript)} />;
}
