/** What a run writes down while it goes on, one JSON text a line: a run that was ended goes on from there. */
export type Line =
  /** The test begins. */
  | { what: "begin"; test: string }
  /** The test ran as the sources are. */
  | {
      what: "met";
      test: string;
      ms: number;
      passed: boolean;
      /** Whether the tests of its file load modules anew: they meet again what is met while a module loads. */
      reloads: boolean;
      mutants: string[];
      message?: string;
    }
  /** These are met while a module loads. */
  | { what: "loaded"; mutants: string[] }
  /** A try with this mutant begins; if nothing follows, it did not end. */
  | { what: "try"; test: string; mutant: string }
  | { what: "found"; test: string; mutant: string; message: string }
  | { what: "missed"; test: string; mutant: string; ms: number }
  /** The test failed with the mutant, and did not pass again without it. */
  | { what: "doubtful"; test: string; mutant: string; message: string }
  | { what: "finished"; test: string };
