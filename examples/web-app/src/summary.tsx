import { useQuery } from "@tanstack/react-query";
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useMemo } from "react";
import { summaryQuery } from "./api";

/** The meeting's title is an `h2`, so the first two levels become `h3`. */
const markdown = new Marked({
  walkTokens(token) {
    if (token.type === "heading") {
      token.depth = Math.min(Math.max(token.depth + 1, 3), 6);
    }
  },
});

/** A model has written it, from what anybody said: nothing of it may run here. */
const htmlOf = (content: string) =>
  DOMPurify.sanitize(markdown.parse(content, { async: false }), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["form", "input", "button", "img", "style", "h1", "h2"],
    FORBID_ATTR: ["style", "class", "id"],
  });

export function Summary({ id, title }: { id: string; title: string }) {
  const { data } = useQuery(summaryQuery(id));
  const html = useMemo(() => {
    const content = data?.content ?? "";
    const heading = `# ${title}\n`; // the page shows it already
    return htmlOf(
      content.startsWith(heading) ? content.slice(heading.length) : content,
    );
  }, [data, title]);
  if (html === "") return null;
  return (
    <section
      aria-label="Summary"
      className="text"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
