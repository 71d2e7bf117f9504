import { useMutation, useQueryClient } from "@tanstack/react-query";
import { meetingsQuery, sendBot } from "./api";
import { sentenceOf } from "./sentence-of";

export function SendBot() {
  const queryClient = useQueryClient();
  const { mutate, isPending, isSuccess, error } = useMutation({
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
      {error && (
        <p role="alert">
          {sentenceOf(
            error,
            "The bot may be sent: look at your meetings before you send another.",
          )}
        </p>
      )}
    </form>
  );
}
