import { Suspense } from "react";
import { Avatar } from "../components/avatar";
import { Badge, Facts } from "../components/facts";
import { Kept } from "../components/kept";
import { Link } from "../components/link";
import { Again, Bots } from "../components/live";
import { More } from "../components/more";
import { Icon, Loading, Notice } from "../components/notice";
import { Search } from "../components/search";
import { SendBot } from "../components/send-bot";
import { card, quiet } from "../components/styles";
import { UploadRecording } from "../components/upload-recording";
import { canChange, isRecentBot, listMeetings, PAGE } from "../lib/meetings";
import { nameOf } from "../lib/name-of";
import { requireUser } from "../lib/session";

const MOST = 96;

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
        className={`mb-6 grid gap-x-6 gap-y-3 p-4 sm:mb-8 sm:p-5 md:grid-cols-2 lg:grid-cols-[3fr_2fr] ${card}`}
      >
        <SendBot />
        <UploadRecording />
      </section>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h1 className="text-2xl leading-10 font-semibold tracking-tight">
          Meetings
        </h1>
        <Search search={search} />
      </div>
      <Suspense
        fallback={
          <div className={`px-4 py-3.5 sm:px-5 ${card}`}>
            <Loading lines={8} hasTiles />
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
  const count = Math.min(Math.max(wanted, 1), MOST);
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
        id="meetings"
        aria-label="All meetings"
        className={`divide-y divide-zinc-200 overflow-hidden dark:divide-zinc-800 ${card}`}
      >
        {meetings.map((meeting) => (
          <li key={meeting.id}>
            <Link
              href={{
                pathname: `/meetings/${encodeURIComponent(meeting.id)}`,
                query: { ...params }, // its way back
              }}
              className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2 px-4 py-3.5 -outline-offset-2 transition hover:bg-zinc-50 sm:grid-cols-[auto_1fr_auto_auto_auto] sm:gap-x-4 sm:px-5 dark:hover:bg-zinc-800/60"
            >
              <span className="grid size-10 place-items-center rounded-lg bg-indigo-50 text-indigo-700 dark:bg-indigo-950 dark:text-indigo-300">
                <Icon name={meeting.source === "upload" ? "file" : "video"} />
              </span>
              <span className="grid min-w-0">
                <span className="truncate font-semibold">
                  {nameOf(meeting)}
                </span>
                <span className={`truncate ${quiet}`}>
                  <Facts meeting={meeting} />
                </span>
              </span>
              <Badge status={meeting.status} />
              <span className="col-start-4 flex -space-x-1.5 max-sm:hidden *:ring-2 *:ring-white dark:*:ring-zinc-900">
                {meeting.participants?.slice(0, 4).map(({ name }, index) => (
                  <Avatar key={index} name={name ?? "?"} place={index} />
                ))}
              </span>
              <span className="col-start-5 text-zinc-500 max-sm:hidden">
                <Icon name="open" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <More
        search={search}
        shown={meetings.length}
        next={hasMore && count < MOST ? count + PAGE : undefined}
      />
      <Bots ids={meetings.filter(isRecentBot).map(({ id }) => id)} />
      {meetings.some(canChange) && <Again />}
    </>
  );
}
