/**
 * Installs the packed package into the examples' `node_modules`, so that the examples and their tests import what a
 * user installs. The link is removed at the end of the run.
 */
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import packed from "../../../test/support/packed.js";

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));

export default function setup(project: TestProject) {
  if (!existsSync(modules)) throw new Error("the examples have dependencies of their own: npm ci --prefix examples");
  const remove = packed(project);
  const link = join(modules, "notetaker-sdk");
  rmSync(link, { recursive: true, force: true });
  symlinkSync(join(project.getProvidedContext().installed, "node_modules/notetaker-sdk"), link, "junction");
  return () => {
    rmSync(link, { recursive: true, force: true });
    remove();
  };
}
