import { openArchive, type SearchHit } from "notetaker-sdk/sql";
import { Suspense } from "react";
import { Link } from "../../components/link";
import { Loading, Notice } from "../../components/notice";
import { button, card, field, quiet } from "../../components/styles";
import { clockOf } from "../../lib/clock-of";
import { database } from "../../lib/database";
import { requireUser } from "../../lib/session";

export const metadata = { title: "Search" };

interface Props {
  searchParams: Promise<{ q?: string | string[] }>;
}

export default function SearchPage({ searchParams }: Props) {
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold tracking-tight">
        Search what was said
      </h1>
      <Suspense fallback={<Loading lines={4} />}>
        <Found searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function Found({ searchParams }: Props) {
  const { tenant } = await requireUser();
  const query = String((await searchParams).q ?? "");
  const archive = openArchive(database, { account: tenant.id });
  const hits = query ? await archive.search(query) : undefined;
  return (
    <>
      <form className="mb-4 flex gap-2">
        <input
          type="search"
          name="q"
          className={field}
          aria-label="Search what was said"
          placeholder="Words, or a “phrase”"
          defaultValue={query}
        />
        <button type="submit" className={button.primary}>
          Search
        </button>
      </form>
      {hits?.length === 0 && (
        <Notice icon="search" title={`Nobody said “${query}”.`} />
      )}
      <ul className={hits?.length ? card : ""} aria-label="Places">
        {hits?.map((hit, index) => (
          <Hit key={index} hit={hit} />
        ))}
      </ul>
    </>
  );
}

/** Opens the recording at its second. */
function Hit({ hit }: { hit: SearchHit }) {
  const { meeting, speaker, start_time: start, text, matches } = hit;
  const time = start === undefined ? "" : clockOf(start);
  const place = start === undefined ? "" : `#t=${start}`;
  return (
    <li className="border-zinc-200 not-first:border-t dark:border-zinc-800">
      <Link
        href={`/meetings/${encodeURIComponent(meeting.id)}${place}`}
        className="grid gap-1 wrap-anywhere px-5 py-3.5 -outline-offset-2 hover:bg-zinc-50 dark:hover:bg-zinc-800/60"
      >
        <b className="font-semibold">{meeting.title ?? "Untitled"}</b>
        <span className={quiet}>
          {[speaker ?? "Summary", time].filter(Boolean).join(" · ")}
        </span>
        <span>
          {matches.map(({ start, end }, index) => (
            <span key={start}>
              {text.slice(matches[index - 1]?.end ?? 0, start)}
              <mark className="rounded-xs bg-amber-200 text-inherit dark:bg-amber-800">
                {text.slice(start, end)}
              </mark>
            </span>
          ))}
          {text.slice(matches.at(-1)?.end ?? 0)}
        </span>
      </Link>
    </li>
  );
}
