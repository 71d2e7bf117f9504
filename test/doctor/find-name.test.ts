/** `findName`: which name is found, and after how many requests. */
import { expect, it } from "vitest";
import { findName, type ProbeResult } from "../../src/doctor/checks/find-name.js";

interface Service {
  /** The names that have an effect. */
  heeds: string[];
  /** What happens to the others. */
  others: "ignored" | "refused" | "refused without names" | "unclear";
  /** Whether the effect shows which of several names was heeded. */
  showsWhich?: boolean;
}

/** A service that heeds some names, and the requests that were sent to it. */
function probeOf({ heeds, others, showsWhich = false }: Service) {
  const requests: string[] = [];
  const probe = async (names: readonly string[]): Promise<ProbeResult> => {
    requests.push(names.join(" "));
    const unknown = names.filter((name) => !heeds.includes(name));
    if (unknown.length > 0 && others === "refused") return { shows: "refused", names: unknown };
    if (unknown.length > 0 && others === "refused without names") return { shows: "refused", names: [] };
    if (unknown.length === names.length) return { shows: others === "unclear" ? "unclear" : "ignored" };
    const heeded = names.filter((name) => heeds.includes(name));
    return showsWhich ? { shows: "honoured", names: heeded } : { shows: "honoured" };
  };
  return { probe, requests };
}

const CANDIDATES = ["a", "b", "c", "d", "e"];
const other = (name: string) => ({ found: "other", name });

interface Row {
  title: string;
  service: Service;
  hint?: string;
  tellsApart?: boolean;
  candidates?: string[];
  finding: object;
  requests: string[];
}

it.each<Row>([
  {
    title: "the default",
    service: { heeds: ["x", "a"], others: "ignored" },
    finding: { found: "default" },
    requests: ["x"],
  },
  {
    title: "nothing if the response does not show what became of the default",
    service: { heeds: [], others: "unclear" },
    finding: { found: "unclear" },
    requests: ["x"],
  },
  {
    title: "the name that a sibling has, first",
    service: { heeds: ["d"], others: "ignored" },
    hint: "d",
    finding: other("d"),
    requests: ["x", "d"],
  },
  {
    title: "another name than that of the sibling, which is not tried twice",
    service: { heeds: ["a"], others: "ignored" },
    hint: "b",
    candidates: ["a", "b"],
    finding: other("a"),
    requests: ["x", "b", "a"],
  },
  {
    title: "nothing under a sibling's name that is no candidate",
    service: { heeds: ["z"], others: "ignored" },
    hint: "z",
    candidates: [],
    finding: { found: "none", isRefused: false },
    requests: ["x"],
  },
  {
    title: "a name by halves, if unknown ones are ignored",
    service: { heeds: ["d"], others: "ignored" },
    finding: other("d"),
    requests: ["x", "a b c", "d"],
  },
  {
    title: "the first of two names by halves",
    service: { heeds: ["b", "d"], others: "ignored" },
    finding: other("b"),
    requests: ["x", "a b c", "a b", "a", "b"],
  },
  {
    title: "the last name by halves",
    service: { heeds: ["e"], others: "ignored" },
    finding: other("e"),
    requests: ["x", "a b c", "d", "e"],
  },
  {
    title: "no name by halves",
    service: { heeds: [], others: "ignored" },
    finding: { found: "none", isRefused: false },
    requests: ["x", "a b c", "d", "e"],
  },
  {
    title: "the default name among the candidates no second time",
    service: { heeds: [], others: "ignored" },
    candidates: ["x"],
    finding: { found: "none", isRefused: false },
    requests: ["x"],
  },
  {
    title: "a name together with all others, if the response shows which was heeded",
    service: { heeds: ["d"], others: "ignored", showsWhich: true },
    tellsApart: true,
    finding: other("d"),
    requests: ["x", "a b c d e", "d"],
  },
  {
    title: "the first of two names that both came together",
    service: { heeds: ["b", "d"], others: "ignored", showsWhich: true },
    tellsApart: true,
    finding: other("b"),
    requests: ["x", "a b c d e", "b d", "b"],
  },
  {
    title: "no name of those that came together",
    service: { heeds: [], others: "ignored", showsWhich: true },
    tellsApart: true,
    finding: { found: "none", isRefused: false },
    requests: ["x", "a b c d e"],
  },
  {
    title: "a name one by one, if all together do not show which was heeded",
    service: { heeds: ["b"], others: "ignored" },
    tellsApart: true,
    finding: other("b"),
    requests: ["x", "a b c d e", "a", "b"],
  },
  {
    title: "the one candidate, also where several could be told apart",
    service: { heeds: ["a"], others: "ignored", showsWhich: true },
    tellsApart: true,
    candidates: ["a"],
    finding: other("a"),
    requests: ["x", "a"],
  },
  {
    title: "the name that a refusal of all together does not name",
    service: { heeds: ["c"], others: "refused" },
    finding: other("c"),
    requests: ["x", "a b c d e", "c"],
  },
  {
    title: "no name if a refusal names all of them",
    service: { heeds: [], others: "refused" },
    finding: { found: "none", isRefused: true },
    requests: ["x", "a b c d e"],
  },
  {
    title: "a name one by one, if a refusal does not say which it refused",
    service: { heeds: ["c"], others: "refused without names" },
    finding: other("c"),
    requests: ["x", "a b c d e", "a", "b", "c"],
  },
  {
    title: "one of two candidates of a service that refuses",
    service: { heeds: ["b"], others: "refused" },
    candidates: ["a", "b"],
    finding: other("b"),
    requests: ["x", "a b", "b"],
  },
  {
    title: "another name than that of the sibling, which is not among those that are tried",
    service: { heeds: ["c"], others: "ignored" },
    hint: "a",
    finding: other("c"),
    requests: ["x", "a", "b c", "b", "c"],
  },
  {
    title: "the one candidate of a service that refuses",
    service: { heeds: ["a"], others: "refused" },
    candidates: ["a"],
    finding: other("a"),
    requests: ["x", "a"],
  },
])("finds $title", async ({ service, hint, tellsApart, candidates = CANDIDATES, finding, requests }) => {
  const { probe, requests: sent } = probeOf(service);
  expect(await findName({ defaultName: "x", candidates, hint, probe, tellsApart })).toEqual(finding);
  expect(sent).toEqual(requests);
});

it("finds a name by halves also if only the default is refused", async () => {
  const sent: string[] = [];
  const probe = async (names: readonly string[]): Promise<ProbeResult> => {
    sent.push(names.join(" "));
    if (names.includes("x")) return { shows: "refused", names: ["x"] };
    return { shows: names.includes("b") ? "honoured" : "ignored" };
  };
  const search = { defaultName: "x", candidates: ["a", "b", "c", "d"], hint: undefined, probe };
  expect(await findName(search)).toEqual(other("b"));
  expect(sent).toEqual(["x", "a b c d", "a b", "a", "b"]);
});

it("tries one by one what is left, if a half shows nothing", async () => {
  const sent: string[] = [];
  const probe = async (names: readonly string[]): Promise<ProbeResult> => {
    sent.push(names.join(" "));
    if (names.length > 1) return { shows: "unclear" };
    return { shows: names[0] === "b" ? "honoured" : "ignored" };
  };
  expect(await findName({ defaultName: "x", candidates: ["a", "b", "c"], hint: undefined, probe })).toEqual(other("b"));
  expect(sent).toEqual(["x", "a b", "a", "b"]);
});
