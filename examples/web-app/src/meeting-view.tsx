import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  meetingQuery,
  permissionsQuery,
  shareWithAnyone,
  summaryQuery,
} from "./api";
import { Badge } from "./meeting-list";
import { sentenceOf } from "./sentence-of";
import { TranscriptView } from "./transcript-view";

export function MeetingView({ id }: { id: string }) {
  const { data: meeting, error } = useQuery(meetingQuery(id));
  const { data: summary } = useQuery({
    ...summaryQuery(id),
    enabled: meeting !== undefined,
  });
  if (meeting === undefined)
    return (
      <p role={error ? "alert" : "status"}>
        {error ? sentenceOf(error) : "Loading …"}
      </p>
    );
  return (
    <article>
      <h2 tabIndex={-1} ref={(heading) => heading?.focus()}>
        {meeting.title ?? "Untitled"}
      </h2>
      <p>
        <Badge meeting={meeting} />{" "}
        {meeting.participants?.map(({ name }) => name ?? "Somebody").join(", ")}
      </p>
      <Share id={id} />
      {summary?.content && (
        <section aria-labelledby="summary">
          <h3 id="summary">Summary</h3>
          <p className="text">{summary.content}</p>
        </section>
      )}
      <TranscriptView id={id} />
    </article>
  );
}

function Share({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const { queryKey, ...query } = permissionsQuery(id);
  const { data, error } = useQuery({ queryKey, ...query });
  const share = useMutation({
    mutationFn: () => shareWithAnyone(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey }),
  });
  // A meeting of somebody else: only its owner can share it.
  if (data === undefined || error) return null;
  const isShared = data.data.some(
    ({ recipient }) => recipient.type === "anyone",
  );
  if (isShared) {
    return (
      <p>
        Anyone with <a href={data.share_url}>this link</a> can read it.
      </p>
    );
  }
  return (
    <p>
      <button
        type="button"
        disabled={share.isPending}
        onClick={() => share.mutate()}
      >
        Share with a link
      </button>
      {share.error && <span role="alert">{sentenceOf(share.error)}</span>}
    </p>
  );
}
