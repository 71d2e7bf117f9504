import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { isMissing, type Meeting, meetingQuery, permissionsQuery } from "./api";
import { Badge, lengthOf, nameOf, nameOfSource, timeOf } from "./meeting-facts";
import { Notice, QueryState } from "./query-state";
import { ShareDialog } from "./share-dialog";
import { Summary } from "./summary";
import { TranscriptView } from "./transcript-view";

const WAITING: Record<string, [title: string, text: string]> = {
  scheduled: [
    "The bot is on its way.",
    "Let it in if the call has a waiting room.",
  ],
  failed: [
    "This meeting was not recorded.",
    "Perhaps nobody let the bot in, or the call had ended. Send the bot again, or upload a recording of your own.",
  ],
};

interface Props {
  id: string;
  /** Opens the dialog for a bot or an upload. */
  record(): void;
}

export function MeetingView({ id, record }: Props) {
  const query = useQuery(meetingQuery(id));
  return (
    <article className="meeting">
      <Link href={`/${location.search}`} className="back">
        ‹ All meetings
      </Link>
      {isMissing(query.error) ? (
        <Notice icon="search" title="There is no such meeting." isAlert>
          <p className="quiet">
            If you have just sent a bot, it is listed in a moment.
          </p>
          <Link href="/" className="button">
            All meetings
          </Link>
        </Notice>
      ) : (
        <QueryState query={query} lines={5} />
      )}
      {query.data && <Found meeting={query.data} record={record} />}
    </article>
  );
}

interface FoundProps extends Pick<Props, "record"> {
  meeting: Meeting;
}

function Found({ meeting, record }: FoundProps) {
  const { id, title, source, start_time, duration, status } = meeting;
  const people = meeting.participants?.map(({ name }) => name ?? "Somebody");
  const waiting = WAITING[status];
  const heading = useRef<HTMLHeadingElement>(null);
  // Once: an event must not pull the focus out of the search field.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <title>{`${nameOf(meeting)} · Meetings`}</title>
      <div className="heading">
        <div className="title">
          <h2 tabIndex={-1} ref={heading}>
            {nameOf(meeting)}
          </h2>
          <Badge meeting={meeting} />
        </div>
        {!waiting && <Share id={id} />}
      </div>
      <p className="quiet">
        {[timeOf(start_time), lengthOf(duration), nameOfSource(source)]
          .concat(people?.join(", ") || undefined)
          .filter(Boolean)
          .join(" · ")}
      </p>
      {waiting ? (
        <Notice title={waiting[0]} isAlert={status === "failed"}>
          <p className="quiet">{waiting[1]}</p>
          {status === "failed" && (
            <button type="button" className="primary" onClick={record}>
              Record a meeting
            </button>
          )}
        </Notice>
      ) : (
        <>
          <Summary id={id} title={title ?? ""} />
          <TranscriptView id={id} status={status} />
        </>
      )}
    </>
  );
}

function Share({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  const { data: permissions } = useQuery(permissionsQuery(id));
  // A meeting of somebody else: only its owner can share it.
  if (permissions === undefined) return null;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Share
      </button>
      <ShareDialog
        id={id}
        url={permissions.share_url}
        permissions={permissions.data}
        isOpen={isOpen}
        close={() => setOpen(false)}
      />
    </>
  );
}
