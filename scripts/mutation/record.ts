/** The lines of a run's record, each a JSON text. An interrupted run resumes from its record. */
export type Line =
  /** The test starts. */
  | { what: "begin"; test: string }
  /** The test ran with the original code. */
  | {
      what: "met";
      test: string;
      ms: number;
      passed: boolean;
      /** Whether the test file loads modules again. Then it also runs the mutants that run while a module loads. */
      reloads: boolean;
      mutants: string[];
      message?: string;
    }
  /** These mutants run while a module loads. */
  | { what: "loaded"; mutants: string[] }
  /** A try with this mutant starts. If no line follows, it did not end. */
  | { what: "try"; test: string; mutant: string }
  | { what: "found"; test: string; mutant: string; message: string }
  | { what: "missed"; test: string; mutant: string; ms: number }
  /** The test failed with the mutant, and did not pass again without it. */
  | { what: "doubtful"; test: string; mutant: string; message: string }
  | { what: "finished"; test: string };
