/** Tests the search with the index of the built site: its first hits, and that it finds every word of the guides. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { guides } from "../../scripts/api/llms-page.js";
import { search } from "./search.js";
import { QUERIES } from "./search-words.js";

interface Hit {
  readonly id: string;
}
interface Index {
  search(query: string): Hit[];
}

const placeOf = ({ id }: Hit) => id.replace(/^\//, "").replace(".html", "");

/** The words and numbers of the guides and of their code, without the addresses of links. */
function wordsOfGuides(dist: string): Set<string> {
  const words = guides().flatMap((name) => {
    const page = readFileSync(join(dist, `docs/${name}.md`), "utf8")
      .replace(/```mermaid[\s\S]*?```/g, "")
      .replace(/^(:::|```|<!--).*$/gm, "")
      .replace(/\]\([^)]*\)/g, "]");
    return page.match(/(?<![\\\p{L}\p{N}])[\p{L}\p{N}][\p{L}\p{N}-]*[\p{L}\p{N}]/gu) ?? [];
  });
  return new Set(words);
}

/** Returns what is not found as it should be. `show` prints the first three hits of each query. */
export async function checkSearch(dist: string, base: string, show = false): Promise<string[]> {
  const chunks = join(dist, "assets/chunks");
  const name = readdirSync(chunks).find((file) => file.startsWith("@localSearchIndexroot")) ?? "";
  const { default: json } = (await import(pathToFileURL(join(chunks, name)).href)) as { default: string };
  const MiniSearch = createRequire(import.meta.url)("minisearch") as {
    loadJSON(json: string, options: object): Index;
  };
  const { options, searchOptions } = search.miniSearch;
  const index = MiniSearch.loadJSON(json, { storeFields: ["title", "titles"], searchOptions, ...options });
  const wrong: string[] = [];
  for (const [query, expected] of Object.entries(QUERIES)) {
    const hits = index.search(query).map((hit) => placeOf({ id: hit.id.replace(base, "/") }));
    if (show) console.log(`${query}: ${hits.slice(0, 3).join(", ")}`);
    if (!hits[0]?.startsWith(expected)) wrong.push(`"${query}" finds ${hits[0]} before ${expected}`);
  }
  console.log(`${Object.keys(QUERIES).length} queries, ${wrong.length} with another first hit`);
  const words = [...wordsOfGuides(dist)].filter((word) => options.processTerm(word, "text") !== null);
  const missing = words.filter((word) => index.search(word).length === 0);
  console.log(`${words.length} words of the guides, ${missing.length} without a hit`);
  return [...wrong, ...missing.map((word) => `"${word}", a word of the guides, finds nothing`)];
}
