/** A meeting: who may see it, and its transcript as soon as it is ready. */
import { WaitTimeoutError } from "notetaker-sdk";
import { toText } from "notetaker-sdk/transcript";
import { Suspense } from "react";
import { notetaker } from "../../../lib/notetaker";
import { share } from "../../actions";

export default async function MeetingPage({
  params,
}: {
  params: Promise<{ id: string }>;
}) {
  const { id } = await params;
  return (
    <main>
      <Suspense fallback={<p>Checking who may see this meeting …</p>}>
        <Sharing meetingId={id} />
      </Suspense>
      <Suspense fallback={<p>The transcript is being written …</p>}>
        <Transcript meetingId={id} />
      </Suspense>
    </main>
  );
}

async function Sharing({ meetingId }: { meetingId: string }) {
  const permissions = await notetaker()
    .permissions.list(meetingId)
    .toArray({ max: 100 });
  if (permissions.some(({ recipient }) => recipient.type === "anyone"))
    return <p>Anyone with the link</p>;
  return (
    <form action={share.bind(null, meetingId)}>
      <button type="submit">Share with anyone who has the link</button>
    </form>
  );
}

async function Transcript({ meetingId }: { meetingId: string }) {
  try {
    const transcript = await notetaker().meetings.waitForTranscript(meetingId, {
      pollMs: 2_000,
      timeoutMs: 60_000,
    });
    return <pre>{toText(transcript)}</pre>;
  } catch (error) {
    if (error instanceof WaitTimeoutError)
      return <p>The transcript is not ready yet. Come back later.</p>;
    throw error;
  }
}
