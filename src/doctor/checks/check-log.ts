/** Collects the checks, and the names that differ. */
import { UNSHOWN_QUERY, type UnshownOverrides } from "../../unshown.js";
import type { Check, Verdict } from "../report.js";
import { BudgetError, MAX_REQUESTS } from "../service/service-reader.js";
import { CANDIDATES, type Group, LEVELS, TITLES } from "./candidates.js";
import { type Finding, findName, type Probe } from "./find-name.js";

/** What a single check needs. */
export interface NameCheck {
  readonly group: Group;
  readonly meaning: string;
  /** The probe that shows the effect; or a text that says what this account lacks to show it. */
  readonly probe: Probe | string;
  /** Whether the probe shows which of several names was honoured. */
  readonly tellsApart?: boolean | undefined;
  /** A second probe, for accounts in which the first cannot show the effect: tried if no name has an effect. */
  readonly secondProbe?: Probe | undefined;
  /** The name that a sibling endpoint has. */
  readonly hint?: string | undefined;
  /** Why it is undecided, not different, if no name has an effect. */
  readonly ifNone?: string | undefined;
  /** Looks at how the service heeds the name, and says what differs. */
  readonly limitation?: ((name: string) => Promise<string | undefined>) | undefined;
}

const USED_UP = `the ${MAX_REQUESTS} requests of a diagnosis were used up by the names before this one`;

export class CheckLog {
  readonly #onCheck: ((check: Check) => void) | undefined;
  readonly #checks = new Map<string, Check>();
  /** The names that were seen to work, by id. */
  readonly #names = new Map<string, string>();

  constructor(onCheck: ((check: Check) => void) | undefined) {
    this.#onCheck = onCheck;
  }

  /** The name that was seen to work, the default or another one. */
  nameOf(group: Group, meaning: string): string | undefined {
    return this.#names.get(`${group}.${meaning}`);
  }

  /** The name that rooms have, unless other names of the group differ from those of rooms. */
  hintFor(group: Group, meaning: string): string | undefined {
    if (group === "rooms") return undefined;
    const differs = Object.keys(UNSHOWN_QUERY.rooms).some((other) => {
      const [name, roomName] = [this.nameOf(group, other), this.nameOf("rooms", other)];
      return name !== undefined && roomName !== undefined && name !== roomName;
    });
    return differs ? undefined : this.nameOf("rooms", meaning);
  }

  /** Checks one name against the service. */
  async check(check: NameCheck): Promise<void> {
    const { group, meaning, probe } = check;
    if (typeof probe === "string") return this.add(group, meaning, "undecided", probe);
    try {
      this.add(group, meaning, ...(await this.#find(check, probe)));
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      this.add(group, meaning, "undecided", USED_UP);
    }
  }

  async #find(check: NameCheck, probe: Probe): Promise<[Verdict, string]> {
    const { group, meaning, tellsApart, secondProbe, hint, ifNone, limitation } = check;
    const defaultName = defaultNameOf(group, meaning);
    const candidates = this.#candidatesFor(group, meaning);
    let finding = await findName({ defaultName, candidates, hint, probe, tellsApart });
    if (finding.found === "none" && secondProbe !== undefined) {
      finding = await findName({ defaultName, candidates, hint, probe: secondProbe });
    }
    if (finding.found === "none" && ifNone !== undefined) return ["undecided", ifNone];
    const described = describe(finding, defaultName, candidates);
    if (finding.found === "none" || finding.found === "unclear") return described;
    const name = finding.found === "default" ? defaultName : finding.name;
    this.#names.set(`${group}.${meaning}`, name);
    try {
      const limits = await limitation?.(name);
      return limits === undefined ? described : ["differs", `${described[1]}, but ${limits}`];
    } catch (error) {
      // Another name was seen to work, and that differs, however the service limits it.
      if (error instanceof BudgetError && finding.found === "other") return described;
      throw error;
    }
  }

  /** Adds a check; a later one of the same name replaces it. */
  add(group: Group, meaning: string, verdict: Verdict, detail: string): void {
    const id = `${group}.${meaning}`;
    const check: Check = {
      id,
      title: `${group}: ${TITLES[meaning] ?? meaning}`,
      verdict,
      level: LEVELS[group],
      detail,
    };
    this.#checks.set(id, check);
    this.#onCheck?.({ ...check });
  }

  /** Every name in the order of the table; one that was not reached is undecided. */
  get checks(): Check[] {
    const ids = Object.entries(UNSHOWN_QUERY).flatMap(([group, names]) =>
      Object.keys(names).map((meaning) => `${group}.${meaning}`),
    );
    return ids.flatMap((id) => this.#checks.get(id) ?? []);
  }

  /** The names that differ from the defaults. */
  get unshown(): UnshownOverrides {
    const overrides: Record<string, Record<string, string>> = {};
    for (const [group, names] of Object.entries(UNSHOWN_QUERY)) {
      for (const [meaning, defaultName] of Object.entries(names)) {
        const name = this.#names.get(`${group}.${meaning}`);
        if (name === undefined || name === defaultName) continue;
        overrides[group] = { ...overrides[group], [meaning]: name };
      }
    }
    return overrides as UnshownOverrides;
  }

  /** A name that means something else on this endpoint, or may do so, is not a candidate. */
  #candidatesFor(group: Group, meaning: string): readonly string[] {
    const others = Object.keys(UNSHOWN_QUERY[group]).filter((other) => other !== meaning);
    const used = others.flatMap((other) => {
      const name = this.nameOf(group, other);
      if (name !== undefined) return name;
      return this.#checks.get(`${group}.${other}`)?.verdict === "differs" ? [] : defaultNameOf(group, other);
    });
    return (CANDIDATES[meaning] ?? []).filter((name) => !used.includes(name));
  }
}

function defaultNameOf(group: Group, meaning: string): string {
  const names: Readonly<Record<string, string>> = UNSHOWN_QUERY[group];
  return names[meaning] ?? meaning;
}

function describe(finding: Finding, defaultName: string, candidates: readonly string[]): [Verdict, string] {
  switch (finding.found) {
    case "default":
      return ["confirmed", `the service heeds "${defaultName}"`];
    case "other":
      return ["differs", `the service heeds "${finding.name}", not "${defaultName}"`];
    case "none": {
      const does = finding.isRefused ? "refuses" : "ignores";
      const others =
        candidates.length === 0 ? "no other name is known to try" : "it heeds none of the other names tried";
      return ["differs", `the service ${does} "${defaultName}", and ${others}`];
    }
    case "unclear":
      return ["undecided", `the response to "${defaultName}" does not show whether the service heeds it`];
  }
}
