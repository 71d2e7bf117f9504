/** Checks names one by one, and collects the checks and the names that differ. */
import { ASSUMED_QUERY, type AssumptionOverrides } from "../assumptions.js";
import { evidenceFor, type Group } from "./lists.js";
import { type CheckExtras, type Meaning, PARAMETERS } from "./parameters.js";
import type { Check, Verdict } from "./report.js";
import { Inconclusive } from "./service-reader.js";

/**
 * Sends a parameter with this name, or with each of several names in one request. Resolves to whether the response
 * shows that the service uses one of them. Throws {@link Inconclusive} if it does not show that.
 */
export type Probe = (...names: string[]) => Promise<boolean>;

/** Every group and meaning with its default name, in the order of the `assumptions` option. */
const allNames = () =>
  Object.entries(ASSUMED_QUERY).flatMap(([group, names]) =>
    Object.entries(names).map(([meaning, name]) => ({
      group: group as Group,
      meaning: meaning as Meaning,
      name,
      id: `${group}.${meaning}`,
    })),
  );

/** What a failed request shows. Throws an error that ends the check. */
function shownBy(error: unknown): "refused" | "unclear" {
  if (error instanceof Inconclusive && error.shows !== undefined) return error.shows;
  throw error;
}

export class CheckLog {
  readonly #onCheck: ((check: Check) => void) | undefined;
  readonly #checks = new Map<string, Check>();
  /** The names that have worked, the defaults or others, by the id of their check. */
  readonly #names = new Map<string, string>();

  constructor(onCheck: ((check: Check) => void) | undefined) {
    this.#onCheck = onCheck;
  }

  /** Checks one name against the service. A text instead of a probe says what the account lacks for it. */
  async check(group: Group, meaning: Meaning, probe: Probe | string, extras: CheckExtras = {}): Promise<void> {
    const [verdict, detail] = await this.#find(group, meaning, probe, extras).catch((error): [Verdict, string] => {
      if (error instanceof Inconclusive) return ["undecided", error.message];
      throw error;
    });
    const id = `${group}.${meaning}`;
    const title = `${group}: ${PARAMETERS[meaning].title}`;
    const added: Check = { id, title, verdict, source: evidenceFor(group), detail };
    this.#checks.set(id, added);
    this.#onCheck?.({ ...added });
  }

  /** Tries the default name, and then the candidates in their order, until one has an effect. */
  async #find(
    group: Group,
    meaning: Meaning,
    probe: Probe | string,
    { ifNone, limitation }: CheckExtras,
  ): Promise<[Verdict, string]> {
    if (typeof probe === "string") return ["undecided", probe];
    const id = `${group}.${meaning}`;
    const defaultName = allNames().find((one) => one.id === id)?.name ?? meaning;
    const ask = (...names: string[]) =>
      probe(...names).then((isHonoured) => (isHonoured ? "honoured" : "ignored"), shownBy);
    const found = async (name: string): Promise<[Verdict, string]> => {
      const limits = await limitation?.(name).catch((error) => void shownBy(error));
      this.#names.set(id, name);
      const isDefault = name === defaultName;
      const detail = `the service uses "${name}"${isDefault ? "" : `, not "${defaultName}"`}`;
      if (limits !== undefined) return ["differs", `${detail}, but ${limits}`];
      return [isDefault ? "confirmed" : "differs", detail];
    };
    const result = await ask(defaultName);
    if (result === "honoured") return found(defaultName);
    if (result === "unclear")
      return ["undecided", `the response to "${defaultName}" does not show whether the service uses it`];
    const candidates = this.#candidatesFor(group, meaning, defaultName);
    for (const [index, name] of candidates.entries()) {
      // If the service ignores unknown names, one request shows whether any of the other names has an effect.
      if (index === 1 && result === "ignored" && (await ask(...candidates.slice(1))) === "ignored") break;
      if ((await ask(name)) === "honoured") return found(name);
    }
    if (ifNone !== undefined) return ["undecided", ifNone];
    const does = result === "refused" ? "refuses" : "ignores";
    const others = candidates.length === 0 ? "no other name is known to try" : "it uses none of the other names tried";
    return ["differs", `the service ${does} "${defaultName}", and ${others}`];
  }

  /**
   * The other names to try, first the name that works for rooms. A name that has, or may have, another meaning at this
   * endpoint is left out.
   */
  #candidatesFor(group: Group, meaning: Meaning, defaultName: string): readonly string[] {
    const used = allNames().flatMap((other) => {
      if (other.group !== group || other.meaning === meaning) return [];
      const differs = this.#checks.get(other.id)?.verdict === "differs";
      return this.#names.get(other.id) ?? (differs ? [] : other.name);
    });
    const names = PARAMETERS[meaning].candidates.filter((name) => name !== defaultName && !used.includes(name));
    const hint = this.#names.get(`rooms.${meaning}`);
    return names.sort((a, b) => Number(b === hint) - Number(a === hint));
  }

  /** The checks, in the order of the table of names. */
  get checks(): Check[] {
    return allNames().flatMap(({ id }) => this.#checks.get(id) ?? []);
  }

  /** The names that differ from the defaults. */
  get assumptions(): AssumptionOverrides {
    const overrides: Record<string, Record<string, string>> = {};
    for (const { group, meaning, name, id } of allNames()) {
      const found = this.#names.get(id) ?? name;
      if (found !== name) overrides[group] = { ...overrides[group], [meaning]: found };
    }
    return overrides as AssumptionOverrides;
  }
}
