/** Finds the name that a service honours for one meaning: the default, one of the candidates, or none. */

/**
 * The result of a request with some names. `honoured`: a name has an effect. `ignored`: no name has an effect.
 * `refused`: a 4xx; `names` are the names that it refuses, if it says so. `unclear`: the response shows none of these.
 */
export type ProbeResult =
  | { readonly shows: "ignored" | "unclear" }
  /** `names` are the honoured names, if the response shows which they are. */
  | { readonly shows: "honoured"; readonly names?: readonly string[] }
  | { readonly shows: "refused"; readonly names: readonly string[] };

/** Sends the parameter with all these names in one request. */
export type Probe = (names: readonly string[]) => Promise<ProbeResult>;

/** The result of a search for the name of one meaning. */
export type Finding =
  | { readonly found: "default" }
  | { readonly found: "other"; readonly name: string }
  | { readonly found: "none"; readonly isRefused: boolean }
  | { readonly found: "unclear" };

export interface NameSearch {
  readonly defaultName: string;
  readonly candidates: readonly string[];
  /** The name that a similar endpoint uses. It is the first candidate to try. */
  readonly hint: string | undefined;
  readonly probe: Probe;
  /** Whether the probe shows which of several names was honoured. */
  readonly tellsApart?: boolean | undefined;
}

const isHonoured = (result: ProbeResult): result is ProbeResult & { shows: "honoured" } => result.shows === "honoured";

/** The first name that is honoured on its own. */
async function findOneByOne(names: readonly string[], probe: Probe): Promise<string | undefined> {
  for (const name of names) if (isHonoured(await probe([name]))) return name;
  return undefined;
}

/**
 * Sends half of the names together, if the service ignores unknown names. The half that has an effect contains the
 * name.
 */
async function findByHalves(names: readonly string[], probe: Probe): Promise<string | undefined> {
  let rest = names;
  while (rest.length > 1) {
    const half = rest.slice(0, Math.ceil(rest.length / 2));
    const result = await probe(half);
    if (result.shows !== "honoured" && result.shows !== "ignored") return findOneByOne(rest, probe);
    if (isHonoured(result) && half.length === 1) return half[0];
    rest = isHonoured(result) ? half : rest.slice(half.length);
  }
  return findOneByOne(rest, probe);
}

/**
 * Sends all names together, if the response shows which of them were honoured. Repeats it with those until one is left.
 */
async function findTogether(names: readonly string[], probe: Probe): Promise<string | undefined> {
  let rest = names;
  while (rest.length > 1) {
    const result = await probe(rest);
    if (result.shows === "ignored") return undefined;
    const honoured: readonly string[] = isHonoured(result) ? (result.names ?? rest) : rest;
    if (honoured.length === rest.length) return findOneByOne(rest, probe);
    rest = honoured;
  }
  return findOneByOne(rest, probe);
}

/**
 * Sends all names together, if the service refuses unknown names. Often it says which, so that only the others must be
 * tried.
 */
async function findAmongRefused(names: readonly string[], probe: Probe): Promise<string | undefined> {
  if (names.length < 2) return findOneByOne(names, probe);
  const result = await probe(names);
  if (result.shows !== "refused") return findByHalves(names, probe);
  const refused = result.names;
  return findOneByOne(
    names.filter((name) => !refused.includes(name)),
    probe,
  );
}

/**
 * Prefers the default name, then the first candidate that works. Each returned name has worked in a request without
 * other names.
 */
export async function findName(search: NameSearch): Promise<Finding> {
  const { defaultName, candidates, hint, probe, tellsApart } = search;
  const result = await probe([defaultName]);
  if (isHonoured(result)) return { found: "default" };
  if (result.shows === "unclear") return { found: "unclear" };
  const isRefused = result.shows === "refused";
  const isNewHint = hint !== undefined && candidates.includes(hint);
  if (isNewHint && isHonoured(await probe([hint]))) return { found: "other", name: hint };
  const rest = candidates.filter((name) => name !== defaultName && !(isNewHint && name === hint));
  const findIgnored = tellsApart ? findTogether : findByHalves;
  const name = await (isRefused ? findAmongRefused(rest, probe) : findIgnored(rest, probe));
  return name === undefined ? { found: "none", isRefused } : { found: "other", name };
}
