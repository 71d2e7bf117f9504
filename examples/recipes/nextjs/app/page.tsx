import Form from "next/form";
import { Suspense } from "react";
import { MeetingList } from "../components/meeting-list";
import { SendBot } from "../components/send-bot";
import { UploadRecording } from "../components/upload-recording";
import { listMeetings } from "../lib/meetings";

interface Props {
  searchParams: Promise<{ search?: string }>;
}

/** Everything but the list is static: `next build` renders it. */
export default function MeetingsPage({ searchParams }: Props) {
  return (
    <main>
      <h1>Meetings</h1>
      <SendBot />
      <UploadRecording />
      <Form action="/">
        <input type="search" name="search" aria-label="Search meetings" />
        <button type="submit">Search</button>
      </Form>
      <Suspense fallback={<p>Loading …</p>}>
        <Meetings searchParams={searchParams} />
      </Suspense>
    </main>
  );
}

async function Meetings({ searchParams }: Props) {
  const { search = "" } = await searchParams;
  const first = await listMeetings(search, "");
  // A new list for a new search, and after an event has changed the first page.
  const key = `${search} ${JSON.stringify(first.data.map(({ id, status }) => [id, status]))}`;
  return <MeetingList key={key} search={search} first={first} />;
}
