/** Checks names one by one, and collects the checks and the names that differ. */
import { ASSUMED_QUERY, type AssumptionOverrides } from "../../assumptions.js";
import type { Check, Verdict } from "../report.js";
import { BudgetError, MAX_REQUESTS } from "../service/service-reader.js";
import { CANDIDATES, EVIDENCE, type Group, TITLES } from "./candidates.js";
import { type Finding, findName, type Probe } from "./find-name.js";

/** The check of one name. */
export interface NameCheck {
  readonly group: Group;
  readonly meaning: string;
  /** The probe that shows whether the name has an effect. A text instead says what the account lacks for a probe. */
  readonly probe: Probe | string;
  /** Whether the probe shows which of several names was honoured. */
  readonly tellsApart?: boolean | undefined;
  /** A second probe, for accounts in which the first cannot show the effect. It is used if no name had an effect. */
  readonly secondProbe?: Probe | undefined;
  /** The name that a similar endpoint uses. */
  readonly hint?: string | undefined;
  /** Why the verdict is `undecided`, not `differs`, if no name has an effect. */
  readonly ifNone?: string | undefined;
  /** Checks how the service applies the name. Returns a difference, if there is one. */
  readonly limitation?: ((name: string) => Promise<string | undefined>) | undefined;
}

const USED_UP = `earlier checks have used up the ${MAX_REQUESTS} requests of a diagnosis`;

export class CheckLog {
  readonly #onCheck: ((check: Check) => void) | undefined;
  readonly #checks = new Map<string, Check>();
  /** The names that have worked, by the id of their check. */
  readonly #names = new Map<string, string>();

  constructor(onCheck: ((check: Check) => void) | undefined) {
    this.#onCheck = onCheck;
  }

  /** The name that has worked: the default or another one. */
  nameOf(group: Group, meaning: string): string | undefined {
    return this.#names.get(`${group}.${meaning}`);
  }

  /** The name that works for rooms, unless other names of the group differ from those for rooms. */
  hintFor(group: Group, meaning: string): string | undefined {
    if (group === "rooms") return undefined;
    const differs = Object.keys(ASSUMED_QUERY.rooms).some((other) => {
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
      // Another name has worked, so the verdict is `differs` even if no request remains to check its limitations.
      if (error instanceof BudgetError && finding.found === "other") return described;
      throw error;
    }
  }

  /** Adds a check. It replaces an earlier check of the same name. */
  add(group: Group, meaning: string, verdict: Verdict, detail: string): void {
    const id = `${group}.${meaning}`;
    const check: Check = {
      id,
      title: `${group}: ${TITLES[meaning] ?? meaning}`,
      verdict,
      source: EVIDENCE[group],
      detail,
    };
    this.#checks.set(id, check);
    this.#onCheck?.({ ...check });
  }

  /** The checks, in the order of the table of names. */
  get checks(): Check[] {
    const ids = Object.entries(ASSUMED_QUERY).flatMap(([group, names]) =>
      Object.keys(names).map((meaning) => `${group}.${meaning}`),
    );
    return ids.flatMap((id) => this.#checks.get(id) ?? []);
  }

  /** The names that differ from the defaults. */
  get assumptions(): AssumptionOverrides {
    const overrides: Record<string, Record<string, string>> = {};
    for (const [group, names] of Object.entries(ASSUMED_QUERY)) {
      for (const [meaning, defaultName] of Object.entries(names)) {
        const name = this.#names.get(`${group}.${meaning}`);
        if (name === undefined || name === defaultName) continue;
        overrides[group] = { ...overrides[group], [meaning]: name };
      }
    }
    return overrides as AssumptionOverrides;
  }

  /** The other names to try. A name that has, or may have, another meaning at this endpoint is left out. */
  #candidatesFor(group: Group, meaning: string): readonly string[] {
    const others = Object.keys(ASSUMED_QUERY[group]).filter((other) => other !== meaning);
    const used = others.flatMap((other) => {
      const name = this.nameOf(group, other);
      if (name !== undefined) return name;
      return this.#checks.get(`${group}.${other}`)?.verdict === "differs" ? [] : defaultNameOf(group, other);
    });
    return (CANDIDATES[meaning] ?? []).filter((name) => !used.includes(name));
  }
}

function defaultNameOf(group: Group, meaning: string): string {
  const names: Readonly<Record<string, string>> = ASSUMED_QUERY[group];
  return names[meaning] ?? meaning;
}

function describe(finding: Finding, defaultName: string, candidates: readonly string[]): [Verdict, string] {
  switch (finding.found) {
    case "default":
      return ["confirmed", `the service uses "${defaultName}"`];
    case "other":
      return ["differs", `the service uses "${finding.name}", not "${defaultName}"`];
    case "none": {
      const does = finding.isRefused ? "refuses" : "ignores";
      const others =
        candidates.length === 0 ? "no other name is known to try" : "it uses none of the other names tried";
      return ["differs", `the service ${does} "${defaultName}", and ${others}`];
    }
    case "unclear":
      return ["undecided", `the response to "${defaultName}" does not show whether the service uses it`];
  }
}
