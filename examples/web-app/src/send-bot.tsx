import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MEETINGS, sendBot } from "./api";
import { sentenceOf } from "./sentence-of";

export function SendBot({ onSent }: { onSent(): void }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: sendBot,
    onSuccess: () => {
      onSent();
      return queryClient.invalidateQueries({ queryKey: MEETINGS });
    },
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const url = String(new FormData(event.currentTarget).get("url")).trim();
        mutate(url || undefined); // an empty field is not a wrong link
      }}
    >
      <label htmlFor="url">Link of the call</label>
      <div className="row">
        <input
          id="url"
          name="url"
          inputMode="url"
          autoComplete="off"
          placeholder="meet.google.com/abc-defg-hij"
          aria-invalid={error !== null}
          aria-describedby="url-help"
        />
        <button type="submit" className="primary" disabled={isPending}>
          {isPending ? "Sending …" : "Send bot"}
        </button>
      </div>
      <p id="url-help" role={error ? "alert" : undefined} className="quiet">
        {error
          ? sentenceOf(error, "bot")
          : "Zoom, Google Meet, Microsoft Teams or Webex. The bot asks to be let in."}
      </p>
    </form>
  );
}
