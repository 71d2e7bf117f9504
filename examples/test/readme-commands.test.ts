/**
 * README's section on tests in a fresh clone, as its reader runs it. In the place of `npm ci` and of the build,
 * the packages and the build of this checkout are taken: they were made by the same commands and locks.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "../../test/browser/launch-browser.js";
import { root } from "../../test/support/run-program.js";
import { startCommand } from "./support/start-program.js";

/** Links the packages for `npm ci [--prefix FOLDER]`, takes the build of this checkout, and passes other commands on to npm. */
const NPM = `#!/bin/sh
if [ "$3" = build ]; then exec cp -R "$CHECKOUT/dist" "$CLONE/dist"; fi
if [ "$1" != ci ]; then exec npm-of-this-machine "$@"; fi
echo "npm $*" >> "$CLONE/../installed"
folder="$CLONE"
while [ $# -gt 0 ]; do if [ "$1" = --prefix ]; then folder="$2"; fi; shift; done
from="$CHECKOUT\${folder#"$CLONE"}/node_modules"
# A folder of links: the program writes into it.
mkdir "$folder/node_modules"
ln -s "$from"/* "$from"/.bin "$from"/.package-lock.json "$folder/node_modules"
`;

/** The commands of the section, in their order, without their comments. */
function commandsOf(readme: string): string[] {
  const [, block = ""] = readme.match(/^## Tests$[\s\S]*?^```sh\n([\s\S]*?)^```$/m) ?? [];
  return block.split("\n").flatMap((line) => line.replace(/\s*#.*/, "") || []);
}

test.runIf(process.platform === "linux")(
  "README's first command starts the web application in a fresh clone, and the others are what CI runs",
  async (context) => {
    const browser = await launchBrowser(context);
    const folder = mkdtempSync(join(tmpdir(), "notetaker-clone-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const clone = join(folder, "clone");
    execFileSync("git", ["clone", "--quiet", root, clone]);
    const [webApp = "", ...others] = commandsOf(readFileSync(join(clone, "README.md"), "utf8"));
    expect(webApp).not.toBe("");

    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "npm"),
      NPM.replace("npm-of-this-machine", execFileSync("which", ["npm"], { encoding: "utf8" }).trim()),
    );
    chmodSync(join(bin, "npm"), 0o755);
    const env = { CLONE: clone, CHECKOUT: root, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const { output } = await startCommand(clone, ["sh", "-c", webApp], env, /^Open http\S+/m);
    expect(readFileSync(join(folder, "installed"), "utf8").split("\n")).toEqual([
      `npm ci --include=dev --prefix ${clone}`,
      `npm ci --include=dev --prefix ${join(clone, "examples")}`,
      "",
    ]);
    const page = await browser.newPage();
    await page.goto(/^Open (\S+)/m.exec(output())?.[1] ?? "");
    await page.locator(".meetings a").first().click();
    await page.locator(".meeting h2").first().waitFor();
    await page.locator(".live[data-state=open]").waitFor();
    await page.close();

    // test/e2e/fresh-machine.test.ts runs `npm start` in a clone.
    const ci = [...readFileSync(join(clone, ".ci/run"), "utf8").split("\n"), "npm start"];
    expect(others.flatMap((command) => command.split(" && ")).filter((part) => !ci.includes(part))).toEqual([]);
    expect(others.length).toBeGreaterThan(1);
  },
);
