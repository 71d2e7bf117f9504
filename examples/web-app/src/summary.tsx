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

const TAGS =
  "h3 h4 h5 h6 p br hr ul ol li strong em b i del code pre blockquote a table thead tbody tr th td";

/**
 * A model has written it, from what anybody said: nothing of it may run here,
 * or load a picture, which would tell its server who reads this.
 */
const htmlOf = (content: string) =>
  DOMPurify.sanitize(markdown.parse(content, { async: false }), {
    ALLOWED_TAGS: TAGS.split(" "),
    ALLOWED_ATTR: ["href", "start", "align"],
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
