/** What a bundler is asked for. */
import type { Project } from "../runtimes/project.js";

/** A program that is bundled, and what it prints. */
export interface Task {
  /** Where the packages are installed. */
  folder: string;
  program: string;
  source: string;
  expected: string;
  project: Project;
}

interface Common {
  name: string;
  /** What is installed; the first is the bundler. */
  packages: readonly string[];
  note?: string;
}

/** Makes one script, which runs in Node. */
export interface ScriptBundler extends Common {
  /** An ES module in the folder of the packages that bundles `entry` into the file or the folder `out`. */
  program(entry: string, out: string): string;
}

/** Bundles and runs in its own way. */
interface OtherBundler extends Common {
  /** The size, gzipped, in bytes. */
  measure(task: Task): Promise<number>;
}

export type Bundler = ScriptBundler | OtherBundler;
