/** The search of the site: guides first, then recipes, then the reference; a name that is typed in full comes on top. */

import type { DefaultTheme } from "vitepress";

type Search = DefaultTheme.LocalSearchOptions;

/** Pages that the search leaves out: the signatures of all names are in the reference, too. */
const OMITTED = /^(api|SECURITY)\.md$/;

/**
 * `miniSearch` runs in the browser: VitePress sends the source of each function, so none of them may use a name from
 * outside.
 */
export const search: Search = {
  _render(source, env, md) {
    if (OMITTED.test(env.relativePath)) return "";
    const isReference = env.relativePath.startsWith("reference/");
    return md.render(isReference ? source.replace(/^```[\s\S]*?^```$/gm, "") : source, env);
  },
  miniSearch: {
    options: {
      // "Retries" is found as "retry". A name such as `NotFoundError` is also a term of its own, which a query matches
      // only if the whole name was typed: `$notfounderror`.
      processTerm(term, field) {
        const word = term.toLowerCase();
        const stem = word.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
        return field === undefined || /[a-z][A-Z]/.test(term) ? [stem, `$${word}`] : stem;
      },
    },
    searchOptions: {
      prefix: (term) => !term.startsWith("$"),
      fuzzy: (term) => (term.length > 5 && !term.startsWith("$") ? 0.15 : false),
      boost: { title: 5, titles: 2, text: 1 },
      boostDocument(id, term, stored) {
        const { title = "", titles = [] } = stored as { title?: string; titles?: string[] };
        if (`$${title.toLowerCase().replace("()", "")}` === term) return 50;
        if (id.includes("/reference/")) return 0.2;
        const ofPage = titles.length === 0 ? 2 : 1;
        const isAside =
          /\/(CHANGELOG|CONTRIBUTING)|\/docs\/(architecture|assumptions|coverage|early|link-rules|migrating|openapi|performance)/.test(
            id,
          );
        if (isAside) return 0.3 * ofPage;
        return (id.includes("/recipes/") ? 0.6 : 1) * ofPage;
      },
    },
  },
};
