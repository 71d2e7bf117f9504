import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MEETINGS, sendBot } from "./api";
import { sentenceOf } from "./sentence-of";

interface Props {
  isOnline: boolean;
  onSent(): void;
}

export function SendBot({ isOnline, onSent }: Props) {
  const queryClient = useQueryClient();
  const { mutate, reset, isPending, error } = useMutation({
    mutationFn: sendBot,
    onSuccess: () => {
      onSent();
      return queryClient.invalidateQueries({ queryKey: MEETINGS });
    },
  });
  const problem = error
    ? sentenceOf(error, "bot")
    : !isOnline && "You are offline.";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const url = String(new FormData(form).get("url")).trim();
        // An empty field is not a wrong link.
        mutate(url || undefined, { onSuccess: () => form.reset() });
      }}
    >
      <label htmlFor="url">Link of the call</label>
      <textarea
        id="url"
        name="url"
        rows={3}
        autoComplete="off"
        placeholder="Paste the link, or the whole invitation"
        aria-invalid={error !== null}
        aria-describedby="url-help"
        onChange={reset}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <p id="url-help" role={problem ? "alert" : undefined} className="quiet">
        {problem ||
          "Zoom, Google Meet, Microsoft Teams or Webex. The bot asks to be let in."}
      </p>
      <button
        type="submit"
        className="primary"
        disabled={isPending || !isOnline}
      >
        {isPending ? "Sending …" : "Send bot"}
      </button>
    </form>
  );
}
