import { notFound } from "next/navigation";
import type { Meeting } from "notetaker-sdk";
import { cache, Suspense } from "react";
import Markdown from "react-markdown";
import { Badge, Facts } from "../../../components/facts";
import { Kept } from "../../../components/kept";
import { Link } from "../../../components/link";
import { Again } from "../../../components/live";
import { Loading, Notice } from "../../../components/notice";
import { Share } from "../../../components/share";
import { button, card, quiet } from "../../../components/styles";
import { Transcript } from "../../../components/transcript";
import { canChange, found, isRecent } from "../../../lib/meetings";
import { nameOf } from "../../../lib/name-of";
import { notetakerOf } from "../../../lib/notetaker";
import { requireUser } from "../../../lib/session";

interface Props {
  params: Promise<{ id: string }>;
  /** Those of the list that it was opened from. */
  searchParams: Promise<Record<string, string>>;
}

export default function MeetingPage({ params, searchParams }: Props) {
  return (
    <>
      <Suspense fallback={<Back query={{}} />}>
        {searchParams.then((query) => (
          <Back query={{ ...query }} />
        ))}
      </Suspense>
      <Suspense fallback={<Loading lines={8} />}>
        <Kept render={() => read(params)} />
      </Suspense>
    </>
  );
}

const Back = ({ query }: { query: Record<string, string> }) => (
  <Link
    href={{ pathname: "/", query }}
    className={`mb-4 inline-block py-1 hover:underline ${quiet}`}
  >
    ‹ All meetings
  </Link>
);

const WAITING: Record<string, [title: string, text: string]> = {
  scheduled: [
    "The bot is on its way.",
    "Let it in if the call has a waiting room.",
  ],
  processing: [
    "The meeting is being recorded or transcribed.",
    "It appears here as soon as it is ready.",
  ],
  failed: [
    "This meeting was not recorded.",
    "Perhaps nobody let the bot in. Send it again, or upload a recording of your own.",
  ],
};

/**
 * One request, for the page and its title. Of another tenant there is no
 * meeting: each tenant has a client of its own.
 */
const meetingWith = cache(async (id: string) => {
  const { meetings } = notetakerOf((await requireUser()).tenant);
  const expand = ["documents"] as const;
  return found(meetings.get(decodeURIComponent(id), { expand: [...expand] }));
});

export async function generateMetadata({ params }: Props) {
  const { id } = await params;
  const meeting = await meetingWith(id).catch(() => undefined);
  return { title: meeting ? nameOf(meeting) : "Meeting" };
}

async function read(params: Props["params"]) {
  const meeting = await meetingWith((await params).id);
  if (meeting === undefined) notFound();
  const { id, status } = meeting;
  const { tenant } = await requireUser();
  const people = meeting.participants?.flatMap(({ name }) => name ?? []);
  const waiting = WAITING[status];
  // Its events may come before what they announce, or never.
  const mayCome =
    canChange(meeting) ||
    (!waiting && meeting.documents.length === 0 && isRecent(meeting));
  return (
    <>
      <div className="flex items-start justify-between gap-4">
        <div className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">
            {nameOf(meeting)}
          </h1>
          <Badge status={status} />
        </div>
        {status !== "failed" && status !== "scheduled" && (
          <Share id={id} tenant={tenant.name} />
        )}
      </div>
      <p className={`mt-1 mb-6 ${quiet}`}>
        <Facts meeting={meeting} />
        {people?.length ? ` · ${people.join(", ")}` : ""}
      </p>
      {waiting ? (
        <Notice
          icon={status === "failed" ? "alert" : "clock"}
          title={waiting[0]}
        >
          <p className="mb-1">{waiting[1]}</p>
          {status === "failed" && (
            <Link href="/#invitation" className={button.primary}>
              Send a bot again
            </Link>
          )}
        </Notice>
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[2fr_3fr]">
          <section
            aria-label="Summary"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            tabIndex={0}
            className={`p-5 lg:sticky lg:top-20 lg:max-h-[calc(100vh-6rem)] lg:overflow-y-auto ${card}`}
          >
            <Suspense fallback={<Loading lines={3} />}>
              <Kept render={() => summary(meeting)} />
            </Suspense>
          </section>
          <section
            aria-label="Recording and transcript"
            className={`p-5 ${card}`}
          >
            <Suspense fallback={<Loading lines={6} />}>
              <Kept render={() => transcript(meeting)} />
            </Suspense>
          </section>
        </div>
      )}
      {mayCome && <Again />}
    </>
  );
}

function NotYet({ what, meeting }: { what: string; meeting: Meeting }) {
  return (
    <p role="status" className={quiet}>
      {isRecent(meeting)
        ? `The ${what} is not ready yet.`
        : `There is no ${what}.`}
    </p>
  );
}

/** The page has one `h1`, its title: the headings of a summary stand below it. */
const HEADINGS = { h1: "h2", h2: "h3", h3: "h4", h4: "h5", h5: "h6" } as const;
/** A heading at the beginning of a text. */
const HEADING = /^\s*#+ (.*)(?:\n|$)/;
const TEXT =
  "grid gap-2 leading-6 wrap-anywhere [&_a]:text-indigo-700 [&_a]:underline dark:[&_a]:text-indigo-300 [&_h2]:font-semibold [&_h3:not(:first-child)]:mt-3 [&_h3]:text-sm [&_h3]:font-semibold [&_h4]:text-sm [&_h4]:font-semibold [&_ol]:list-decimal [&_ol]:pl-5 [&_ul]:list-disc [&_li]:pl-1 [&_li]:marker:text-zinc-400 [&_ul]:pl-5";

/**
 * A model has written it, from what anybody said. `react-markdown` shows no
 * HTML of the text; a picture would tell its server who reads this.
 */
async function summary(meeting: Meeting & { documents: object[] }) {
  const { documents } = notetakerOf((await requireUser()).tenant);
  const format = { format: "markdown" } as const;
  const summary = await documents.find(meeting as never, "summary", format);
  if (summary === undefined) return <NotYet what="summary" meeting={meeting} />;
  const shown = ["Summary", summary.title, meeting.title];
  let text = summary.content;
  while (shown.includes(HEADING.exec(text)?.[1] ?? ""))
    text = text.replace(HEADING, "");
  return (
    <>
      <h2 className="mb-3 text-lg font-semibold">Summary</h2>
      <div className={TEXT}>
        <Markdown
          components={HEADINGS}
          disallowedElements={["img"]}
          unwrapDisallowed
        >
          {text}
        </Markdown>
      </div>
    </>
  );
}

async function transcript(meeting: Meeting) {
  const { meetings } = notetakerOf((await requireUser()).tenant);
  const transcript = await found(meetings.getTranscript(meeting.id));
  if (transcript === undefined)
    return <NotYet what="transcript" meeting={meeting} />;
  return <Transcript id={meeting.id} transcript={transcript} />;
}
