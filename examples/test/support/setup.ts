/**
 * Installs the packed package into the examples' `node_modules`, so that the examples and their tests import what a
 * user installs. The link is removed at the end of the run.
 */
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import packed from "../../../test/support/packed.js";

const openTelemetry = fileURLToPath(new URL("../../../node_modules/@opentelemetry", import.meta.url));
const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

export default function setup(project: TestProject) {
  if (!existsSync(modules)) throw new Error("the examples have dependencies of their own: npm ci --prefix examples");
  const remove = packed(project);
  const link = join(modules, "notetaker-sdk");
  rmSync(link, { recursive: true, force: true });
  const { installed } = project.getProvidedContext();
  symlinkSync(join(installed, "node_modules/notetaker-sdk"), link, "junction");
  // An optional peer dependency, which the packed package looks for beside itself.
  symlinkSync(openTelemetry, join(installed, "node_modules/@opentelemetry"), "junction");
  return () => {
    rmSync(link, { recursive: true, force: true });
    remove();
  };
}
