/** The search of the site: guides first, then recipes, then the reference; a name that is typed in full comes on top. */

import type MarkdownIt from "markdown-it";
import { KEYWORDS } from "./search-words.js";

/** Pages that the search leaves out: the signatures of all names are in the reference, what a model reads in the guides. */
const OMITTED = /^(api|SECURITY|skills\/.*|reference\/guides)\.md$/;

interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

/** `docs/errors` for the beginning of a page, `docs/errors#outcome` for another section. */
const placeOf = ({ id, titles }: Section) => {
  const [, path = "", anchor = ""] = /((?:docs|reference)\/[^#]*|\w+)\.html(#.*)?$/.exec(id) ?? [];
  return titles.length === 0 ? path : `${path}${anchor}`;
};

/** The full names of a method of the reference: `rooms.list` and `Rooms.list`, or `receiver.events`. */
const methodsOf = (place: string) => {
  const [, page, owner, member = owner] = /^reference\/(\w+)#([a-z]+)(?:-([a-z]+))?$/.exec(place) ?? [];
  return owner === undefined ? "" : `${member === owner ? page : owner}.${member}`;
};

/**
 * `miniSearch` runs in the browser: VitePress sends the source of each function, so none of them may use a name from
 * outside. Only `extractField` may: it is called while the index is made.
 */
export const search = {
  detailedView: true,
  _render(source: string, env: { relativePath: string }, md: MarkdownIt): string {
    if (OMITTED.test(env.relativePath)) return "";
    // The reference is found by its names, which are its headings; what they do is in the guides. This halves the index.
    const headings = source.replace(/^```[\s\S]*?^```$/gm, "").match(/^#+ .*$/gm) ?? [];
    const html = md.render(env.relativePath.startsWith("reference/") ? headings.join("\n\n") : source, env);
    // Without tags, the language of a block and the first word of its code would be one word: "shcp".
    return html.replace(/<span class="lang">[^<]*<\/span>/g, "");
  },
  miniSearch: {
    options: {
      fields: ["title", "titles", "keywords", "text"],
      extractField: (section: Section, field: string) =>
        field === "keywords"
          ? `${KEYWORDS[placeOf(section)] ?? ""} ${methodsOf(placeOf(section))}`
          : (section[field as keyof Section] as string),
      // `codecs=opus` is two words. `rooms.list` is also a word of its own.
      tokenize: (text: string) => [...text.split(/[\s\p{P}\p{S}]+/u), ...(text.match(/[a-z]\w*\.[a-z]\w*/gi) ?? [])],
      // "Retries" is found as "retry", and `toVtt` as "vtt". A name such as `NotFoundError` is also a term of its own,
      // which a query matches only if the whole name was typed: `exactly:notfounderror`.
      // In texts, words that stand in every section are left out: they find nothing, and make the index large.
      processTerm(term: string, field?: string): string | string[] | null {
        const isSmall =
          /^(a|all|an|and|another|any|are|as|at|be|because|but|by|can|do|does|each|every|for|from|has|have|if|in|into|is|it|its|may|more|no|not|of|on|one|only|or|other|same|so|than|that|the|them|then|there|they|this|to|too|two|until|was|what|when|where|which|while|who|with|without|you|your)$/i;
        if (field === "text" && isSmall.test(term)) return null;
        const stem = (word: string) =>
          word
            .toLowerCase()
            .replace(/ies$/, "y")
            .replace(/([^s])s$/, "$1");
        if (term.includes(".")) return field === "text" ? null : `exactly:${term.toLowerCase()}`;
        const whole = [term.toLowerCase(), `exactly:${term.toLowerCase()}`];
        if (field === "text")
          return /[a-z][A-Z]/.test(term)
            ? [...term.split(/(?<=[a-z])(?=[A-Z])/).map(stem), term.toLowerCase()]
            : stem(term);
        if (!/[a-z][A-Z]/.test(term)) return field === undefined ? [stem(term), ...whole.slice(1)] : stem(term);
        return field === undefined ? whole : [...term.split(/(?<=[a-z])(?=[A-Z])/).map(stem), ...whole];
      },
    },
    searchOptions: {
      // A question is searched by its nouns and verbs.
      tokenize(text: string): string[] {
        const words = text.split(/[\s\p{P}\p{S}]+/u).filter((word) => word !== "");
        const isSmall = (word: string) =>
          /^(a|an|and|are|by|can|do|does|for|from|how|i|if|in|is|it|my|not|of|on|or|that|the|this|to|was|what|when|where|which|who|why|with|you)$/i.test(
            word,
          );
        const others = words.filter((word) => !isSmall(word));
        return [...(others.length > 0 ? others : words), ...(text.match(/[a-z]\w*\.[a-z]\w*/gi) ?? [])];
      },
      prefix: (term: string) => !term.startsWith("exactly:") && term.length > 2,
      fuzzy: (term: string) => (term.length > 5 && !term.startsWith("exactly:") ? 0.15 : false),
      boost: { title: 5, keywords: 12, titles: 2, text: 1 },
      boostDocument(id: string, term: string, stored: Record<string, unknown> | undefined): number {
        const { title = "", titles = [] } = (stored ?? {}) as { title?: string; titles?: string[] };
        const [, page = "", anchor = ""] = /\/reference\/(\w+)\.html#([\w-]+)$/.exec(id) ?? [];
        if (term === `exactly:${page}.${anchor}` || term === `exactly:${anchor.replace("-", ".")}`) return 200;
        if (/[a-z][A-Z]/.test(title) && `exactly:${title.toLowerCase().replace(/^class |\(\)$/g, "")}` === term)
          return 80;
        if (id.includes("/reference/")) return 0.15;
        const ofPage = titles.length === 0 ? 2 : 1;
        const isAside =
          /\/(CHANGELOG|CONTRIBUTING)|\/docs\/(architecture|assumptions|coverage|migrating|openapi|performance|reliability)/.test(
            id,
          );
        if (isAside) return 0.3 * ofPage;
        return (id.includes("/recipes/") ? 0.6 : 1) * ofPage;
      },
    },
  },
};
