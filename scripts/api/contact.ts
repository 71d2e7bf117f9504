/** Where users ask and report: the links of package.json, or what the published package has until they are known. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./public-surface.js";

interface Manifest {
  repository?: { url: string };
  bugs?: { url: string };
}

const { repository, bugs } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
const url = repository?.url.replace(/^git\+|\.git$/g, "");
const MAINTAINERS = "`npm owner ls notetaker-sdk` lists the maintainers with their addresses";

export const helpText = bugs
  ? `Questions and bugs: [issues](${bugs.url}). Changes: [the repository](${url}).`
  : `Questions and bugs: ${MAINTAINERS}.`;

export const reportText = url
  ? `Use [Report a vulnerability](${url}/security/advisories/new). Only the maintainers can read these reports.`
  : `Write to the maintainers: ${MAINTAINERS}.`;
