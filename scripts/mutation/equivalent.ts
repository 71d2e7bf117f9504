/** Mutants that no test can find, because nothing that a user could notice differs: each with the reason. */
interface EquivalentMutant {
  file: string;
  from: string;
  to: string;
  why: string;
}

export const EQUIVALENT: readonly EquivalentMutant[] = [];
