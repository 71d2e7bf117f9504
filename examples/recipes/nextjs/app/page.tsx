import Form from "next/form";
import Link from "next/link";
import { Suspense } from "react";
import { Kept } from "../components/kept";
import { SendBot } from "../components/send-bot";
import { UploadRecording } from "../components/upload-recording";
import { listMeetings } from "../lib/meetings";

interface Props {
  searchParams: Promise<{ search?: string | string[]; count?: string }>;
}

/** Everything but the search and the list is static: `next build` renders it. */
export default function MeetingsPage({ searchParams }: Props) {
  return (
    <main>
      <h1>Meetings</h1>
      <SendBot />
      <UploadRecording />
      <Suspense>
        <Search searchParams={searchParams} />
      </Suspense>
      <Suspense fallback={<p>Loading …</p>}>
        <Kept render={() => meetings(searchParams)} />
      </Suspense>
    </main>
  );
}

async function Search({ searchParams }: Props) {
  const search = String((await searchParams).search ?? "");
  return (
    <Form action="/">
      <input
        type="search"
        name="search"
        defaultValue={search}
        aria-label="Search meetings"
      />
      <button type="submit">Search</button>
    </Form>
  );
}

/** How many are shown is in the address, so that it survives an event and a reload. */
async function meetings(searchParams: Props["searchParams"]) {
  const params = await searchParams;
  const search = String(params.search ?? "");
  const wanted = Math.trunc(Number(params.count)) || 8;
  const count = Math.min(Math.max(wanted, 1), 1_000);
  const list = await listMeetings(search, count);
  if (list.length === 0) return <p>No meetings.</p>;
  return (
    <>
      <ul aria-label="All meetings">
        {list.slice(0, count).map(({ id, title, status }) => (
          <li key={id}>
            <Link href={`/meetings/${id}`}>{title ?? "Untitled"}</Link> {status}
          </li>
        ))}
      </ul>
      {list.length > count && (
        <Link
          href={{ query: { search, count: count + 8 } }}
          prefetch={false}
          replace
          scroll={false}
        >
          Load more
        </Link>
      )}
    </>
  );
}
