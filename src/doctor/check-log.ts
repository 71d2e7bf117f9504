/** Checks names one by one, and collects the checks and the names that differ. */
import { ASSUMED_QUERY, type AssumptionOverrides } from "../assumptions.js";
import { CANDIDATES, EVIDENCE, type Group, TITLES } from "./candidates.js";
import type { Probe } from "./list-facts.js";
import type { Check, Verdict } from "./report.js";
import { BudgetError, MAX_REQUESTS } from "./service-reader.js";

/** The check of one name. */
export interface NameCheck {
  readonly group: Group;
  readonly meaning: string;
  /** The probe that shows whether a name has an effect. A text instead says what the account lacks for a probe. */
  readonly probe: Probe | string;
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

  /** Tries the default name, and then the candidates in their order, until one has an effect. */
  async #find({ group, meaning, ifNone, limitation }: NameCheck, probe: Probe): Promise<[Verdict, string]> {
    const defaultName = defaultNameOf(group, meaning);
    const result = await probe(defaultName);
    if (result === "honoured") return this.#found(group, meaning, defaultName, limitation);
    if (result === "unclear")
      return ["undecided", `the response to "${defaultName}" does not show whether the service uses it`];
    const candidates = this.#candidatesFor(group, meaning);
    for (const [index, name] of candidates.entries()) {
      // If the service ignores unknown names, one request shows whether any of the other names has an effect.
      if (index === 1 && result === "ignored" && (await probe(...candidates.slice(1))) === "ignored") break;
      if ((await probe(name)) === "honoured") return this.#found(group, meaning, name, limitation);
    }
    if (ifNone !== undefined) return ["undecided", ifNone];
    const does = result === "refused" ? "refuses" : "ignores";
    const others = candidates.length === 0 ? "no other name is known to try" : "it uses none of the other names tried";
    return ["differs", `the service ${does} "${defaultName}", and ${others}`];
  }

  async #found(
    group: Group,
    meaning: string,
    name: string,
    limitation: NameCheck["limitation"],
  ): Promise<[Verdict, string]> {
    const limits = await limitation?.(name);
    this.#names.set(`${group}.${meaning}`, name);
    const defaultName = defaultNameOf(group, meaning);
    const isDefault = name === defaultName;
    const detail = `the service uses "${name}"${isDefault ? "" : `, not "${defaultName}"`}`;
    if (limits !== undefined) return ["differs", `${detail}, but ${limits}`];
    return [isDefault ? "confirmed" : "differs", detail];
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

  /**
   * The other names to try, first the name that works for rooms. A name that has, or may have, another meaning at this
   * endpoint is left out.
   */
  #candidatesFor(group: Group, meaning: string): readonly string[] {
    const others = Object.keys(ASSUMED_QUERY[group]).filter((other) => other !== meaning);
    const used = others.flatMap((other) => {
      const name = this.nameOf(group, other);
      if (name !== undefined) return name;
      return this.#checks.get(`${group}.${other}`)?.verdict === "differs" ? [] : defaultNameOf(group, other);
    });
    const known = CANDIDATES[meaning] ?? [];
    const hint = this.nameOf("rooms", meaning);
    const names = known.filter((name) => name !== defaultNameOf(group, meaning) && !used.includes(name));
    return names.sort((a, b) => Number(b === hint) - Number(a === hint));
  }
}

function defaultNameOf(group: Group, meaning: string): string {
  const names: Readonly<Record<string, string>> = ASSUMED_QUERY[group];
  return names[meaning] ?? meaning;
}
