import { useQuery } from "@tanstack/react-query";
import DOMPurify from "dompurify";
import { Marked } from "marked";
import { useMemo } from "react";
import { summaryQuery } from "./api";

/** The headings of the document stand below the title, which the page shows. */
const markdown = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const level = Math.min(depth + 1, 6);
      const text = this.parser.parseInline(tokens);
      return depth === 1 ? "" : `<h${level}>${text}</h${level}>`;
    },
  },
});

/** A model has written it, from what anybody said: nothing of it may run here. */
const htmlOf = (content: string) =>
  DOMPurify.sanitize(markdown.parse(content, { async: false }), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["form", "input", "button", "img", "style"],
    FORBID_ATTR: ["style", "class", "id"],
  });

export function Summary({ id }: { id: string }) {
  const { data } = useQuery(summaryQuery(id));
  const html = useMemo(() => htmlOf(data?.content ?? ""), [data]);
  if (html === "") return null;
  return (
    <section
      aria-label="Summary"
      className="text"
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
