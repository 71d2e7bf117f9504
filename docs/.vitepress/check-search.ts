/** Tests the first hits of the search, with the index of the built site. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { search } from "./search.js";
import { QUERIES } from "./search-words.js";

interface Hit {
  readonly id: string;
}
interface Index {
  search(query: string): Hit[];
}

const placeOf = ({ id }: Hit) => id.replace(/^\//, "").replace(".html", "");

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
  return wrong;
}
