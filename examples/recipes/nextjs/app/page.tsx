import { Suspense } from "react";
import { Badge, Facts } from "../components/facts";
import { Kept } from "../components/kept";
import { Link } from "../components/link";
import { Again } from "../components/live";
import { Loading, Notice } from "../components/notice";
import { Search } from "../components/search";
import { SendBot } from "../components/send-bot";
import { button, card, quiet } from "../components/styles";
import { UploadRecording } from "../components/upload-recording";
import { canChange, listMeetings, PAGE } from "../lib/meetings";
import { requireUser } from "../lib/session";

interface Props {
  searchParams: Promise<{ search?: string | string[]; count?: string }>;
}

export default function MeetingsPage({ searchParams }: Props) {
  return (
    <Suspense fallback={<Loading lines={10} />}>
      <Meetings searchParams={searchParams} />
    </Suspense>
  );
}

async function Meetings({ searchParams }: Props) {
  await requireUser();
  const search = String((await searchParams).search ?? "");
  return (
    <>
      <section
        aria-label="Record a meeting"
        className={`mb-8 grid gap-6 p-5 md:grid-cols-[2fr_1fr] ${card}`}
      >
        <SendBot />
        <UploadRecording />
      </section>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-xl font-semibold">Meetings</h1>
        <Search search={search} />
      </div>
      <Suspense
        fallback={
          <div className={`p-5 ${card}`}>
            <Loading lines={8} />
          </div>
        }
      >
        <Kept render={() => list(searchParams)} />
      </Suspense>
    </>
  );
}

/** How many are shown is in the address, so that it survives an event and a reload. */
async function list(searchParams: Props["searchParams"]) {
  const { tenant } = await requireUser();
  const params = await searchParams;
  const search = String(params.search ?? "");
  const wanted = Math.trunc(Number(params.count)) || PAGE;
  const count = Math.min(Math.max(wanted, 1), 96);
  const { meetings, hasMore } = await listMeetings(tenant, search, count);
  if (meetings.length === 0)
    return search ? (
      <Notice icon="search" title={`No meeting matches “${search}”.`}>
        <p>Try other words.</p>
      </Notice>
    ) : (
      <Notice icon="calendar" title="No meetings yet.">
        <p>Send a bot to your next call, or upload a recording.</p>
      </Notice>
    );
  return (
    <>
      <ul
        aria-label="All meetings"
        className={`divide-y divide-zinc-200 overflow-hidden dark:divide-zinc-800 ${card}`}
      >
        {meetings.map(({ id, title, status, source, start_time, duration }) => (
          <li key={id}>
            <Link
              href={`/meetings/${encodeURIComponent(id)}`}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-5 py-3.5 -outline-offset-2 transition hover:bg-zinc-50 focus-visible:outline-2 focus-visible:outline-indigo-500 dark:hover:bg-zinc-800/60"
            >
              <span className="truncate font-medium">
                {title ?? "Untitled"}
              </span>
              <span className="sm:row-span-2">
                <Badge status={status} />
              </span>
              <span className={`truncate max-sm:col-span-2 ${quiet}`}>
                <Facts source={source} start={start_time} seconds={duration} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {hasMore && count < 96 && (
        <p className="mt-4 text-center">
          <Link
            href={{ query: { ...(search && { search }), count: count + PAGE } }}
            replace
            scroll={false}
            className={button.quiet}
          >
            Load more
          </Link>
        </p>
      )}
      {meetings.some(canChange) && <Again />}
    </>
  );
}
