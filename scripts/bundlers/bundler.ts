/** The types of a bundler and of its task. */
import type { Project } from "../runtimes/project.js";

/** A program to bundle, and the output that it must print. */
export interface Task {
  /** The folder in which the packages are installed. */
  folder: string;
  program: string;
  source: string;
  expected: string;
  project: Project;
}

interface Common {
  name: string;
  /** The packages to install. The first is the bundler. */
  packages: readonly string[];
  note?: string;
}

/** A bundler that makes one script, which runs in Node. */
export interface ScriptBundler extends Common {
  /**
   * The source of an ES module that bundles `entry` into the file or the folder `out`. It runs in the folder of the
   * packages.
   */
  program(entry: string, out: string): string;
}

/** A bundler that builds and runs the program in another way. */
interface OtherBundler extends Common {
  /** The gzipped size in bytes. */
  measure(task: Task): Promise<number>;
}

export type Bundler = ScriptBundler | OtherBundler;
