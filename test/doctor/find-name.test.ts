/** `findName`: which name it finds, and with how many requests. */
import { expect, it } from "vitest";
import { findName, type ProbeResult } from "../../src/doctor/checks/find-name.js";

interface Service {
  /** The names that have an effect. */
  heeds: string[];
  /** What the service does with all other names. */
  others: "ignored" | "refused" | "refused without names" | "unclear";
  /** Whether the response shows which of several names the service heeds. */
  showsWhich?: boolean;
}

/** A probe of a service that heeds some names, and a list of the requests that the probe sent. */
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
    title: "the default name",
    service: { heeds: ["x", "a"], others: "ignored" },
    finding: { found: "default" },
    requests: ["x"],
  },
  {
    title: "no name if the response to the default name is unclear",
    service: { heeds: [], others: "unclear" },
    finding: { found: "unclear" },
    requests: ["x"],
  },
  {
    title: "the suggested name before any other",
    service: { heeds: ["d"], others: "ignored" },
    hint: "d",
    finding: other("d"),
    requests: ["x", "d"],
  },
  {
    title: "another name if the suggested one is ignored, and does not try that one twice",
    service: { heeds: ["a"], others: "ignored" },
    hint: "b",
    candidates: ["a", "b"],
    finding: other("a"),
    requests: ["x", "b", "a"],
  },
  {
    title: "no name if the service heeds only a suggested name that is not a candidate",
    service: { heeds: ["z"], others: "ignored" },
    hint: "z",
    candidates: [],
    finding: { found: "none", isRefused: false },
    requests: ["x"],
  },
  {
    title: "a name by bisection if the service ignores unknown names",
    service: { heeds: ["d"], others: "ignored" },
    finding: other("d"),
    requests: ["x", "a b c", "d"],
  },
  {
    title: "the first of two heeded names by bisection",
    service: { heeds: ["b", "d"], others: "ignored" },
    finding: other("b"),
    requests: ["x", "a b c", "a b", "a", "b"],
  },
  {
    title: "the last name by bisection",
    service: { heeds: ["e"], others: "ignored" },
    finding: other("e"),
    requests: ["x", "a b c", "d", "e"],
  },
  {
    title: "no name by bisection if the service heeds none",
    service: { heeds: [], others: "ignored" },
    finding: { found: "none", isRefused: false },
    requests: ["x", "a b c", "d", "e"],
  },
  {
    title: "no name if the only candidate is the default name, which it does not try twice",
    service: { heeds: [], others: "ignored" },
    candidates: ["x"],
    finding: { found: "none", isRefused: false },
    requests: ["x"],
  },
  {
    title: "a name with one request for all names if the response shows which was heeded",
    service: { heeds: ["d"], others: "ignored", showsWhich: true },
    tellsApart: true,
    finding: other("d"),
    requests: ["x", "a b c d e", "d"],
  },
  {
    title: "the first of two names if the response shows that both were heeded",
    service: { heeds: ["b", "d"], others: "ignored", showsWhich: true },
    tellsApart: true,
    finding: other("b"),
    requests: ["x", "a b c d e", "b d", "b"],
  },
  {
    title: "no name with one request for all names if none was heeded",
    service: { heeds: [], others: "ignored", showsWhich: true },
    tellsApart: true,
    finding: { found: "none", isRefused: false },
    requests: ["x", "a b c d e"],
  },
  {
    title: "a name one by one if the request for all names does not show which was heeded",
    service: { heeds: ["b"], others: "ignored" },
    tellsApart: true,
    finding: other("b"),
    requests: ["x", "a b c d e", "a", "b"],
  },
  {
    title: "the only candidate directly, even if responses can show which name was heeded",
    service: { heeds: ["a"], others: "ignored", showsWhich: true },
    tellsApart: true,
    candidates: ["a"],
    finding: other("a"),
    requests: ["x", "a"],
  },
  {
    title: "the one name that the refusal of all names does not mention",
    service: { heeds: ["c"], others: "refused" },
    finding: other("c"),
    requests: ["x", "a b c d e", "c"],
  },
  {
    title: "no name if the refusal mentions all names",
    service: { heeds: [], others: "refused" },
    finding: { found: "none", isRefused: true },
    requests: ["x", "a b c d e"],
  },
  {
    title: "a name one by one if the refusal mentions no name",
    service: { heeds: ["c"], others: "refused without names" },
    finding: other("c"),
    requests: ["x", "a b c d e", "a", "b", "c"],
  },
  {
    title: "one of two candidates if the service refuses unknown names",
    service: { heeds: ["b"], others: "refused" },
    candidates: ["a", "b"],
    finding: other("b"),
    requests: ["x", "a b", "b"],
  },
  {
    title: "a name by bisection without the suggested name, which was ignored before",
    service: { heeds: ["c"], others: "ignored" },
    hint: "a",
    finding: other("c"),
    requests: ["x", "a", "b c", "b", "c"],
  },
  {
    title: "the only candidate if the service refuses unknown names",
    service: { heeds: ["a"], others: "refused" },
    candidates: ["a"],
    finding: other("a"),
    requests: ["x", "a"],
  },
])("findName finds $title", async ({ service, hint, tellsApart, candidates = CANDIDATES, finding, requests }) => {
  const { probe, requests: sent } = probeOf(service);
  expect(await findName({ defaultName: "x", candidates, hint, probe, tellsApart })).toEqual(finding);
  expect(sent).toEqual(requests);
});

it("findName finds a name by bisection even if only the default name is refused", async () => {
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

it("findName tries the remaining names one by one if the response to half of the names is unclear", async () => {
  const sent: string[] = [];
  const probe = async (names: readonly string[]): Promise<ProbeResult> => {
    sent.push(names.join(" "));
    if (names.length > 1) return { shows: "unclear" };
    return { shows: names[0] === "b" ? "honoured" : "ignored" };
  };
  expect(await findName({ defaultName: "x", candidates: ["a", "b", "c"], hint: undefined, probe })).toEqual(other("b"));
  expect(sent).toEqual(["x", "a b", "a", "b"]);
});
