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
  /** Whether it bundles the files for CommonJS, a few chunks in which parts of zod stand beside our own code. */
  isCommonJs?: boolean;
}

/** A bundler that makes one script, which runs in Node. */
export interface ScriptBundler extends Common {
  /**
   * The source of an ES module that bundles `entry` into the file or the folder `out`. It runs in the folder of the
   * packages.
   */
  program(entry: string, out: string): string;
}

/** What a bundler made of a program. */
export interface Bundle {
  /** The gzipped size in bytes. */
  bytes: number;
  text: string;
}

/** A bundler that builds and runs the program in another way. */
interface OtherBundler extends Common {
  bundle(task: Task): Promise<Bundle>;
}

export type Bundler = ScriptBundler | OtherBundler;
