import { useMutation, useQueryClient } from "@tanstack/react-query";
import { meetingsQuery, type ServerError, sendBot } from "./api";

export function SendBot() {
  const queryClient = useQueryClient();
  const { mutate, isPending, isSuccess, error } = useMutation<
    unknown,
    ServerError,
    string
  >({
    mutationFn: sendBot,
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: meetingsQuery.queryKey }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        mutate(String(new FormData(event.currentTarget).get("url")));
      }}
    >
      <label>
        Join link{" "}
        <input
          name="url"
          type="url"
          required
          placeholder="https://meet.google.com/abc-defg-hij"
        />
      </label>
      <button type="submit" disabled={isPending}>
        Send bot
      </button>
      {isSuccess && (
        <p role="status">The bot is queued. Its meeting appears in the list.</p>
      )}
      {error && <p role="alert">{sentenceOf(error)}</p>}
    </form>
  );
}

function sentenceOf({ status, message, retryAfterMs }: ServerError): string {
  if (status !== 429) return message;
  const seconds = Math.ceil((retryAfterMs ?? 60_000) / 1_000);
  return `Too many bots. Try again in ${seconds} s.`;
}
