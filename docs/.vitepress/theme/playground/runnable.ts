/** Which blocks of the guides get a Run button: those that a browser can run, and that do something. */
import type MarkdownIt from "markdown-it";
import { FAILURE } from "./failures.js";

/** The modules that a program in the browser may import. */
const MODULES = ["", "/testing", "/transcript", "/webhooks", "/tools", "/doctor"].map((path) => `notetaker-sdk${path}`);

/** Node's `process`, a server, or a host that is not the emulated service. */
const NEEDS_A_SERVER = /\bprocess\.(?!env\b)|\.listen\(|https?:\/\/(localhost|127\.|app\.)|\bdeclare function\b/;
/** Prints something, sends a request, or receives the events that the emulator sends. */
const DOES_SOMETHING =
  /^(?! |export|async function|function).*(\bawait\b|\bconsole\.)|^(for|if|try)\b|=\n *await\b|secrets: process\.env/m;

/** `info` is what stands after the fence. Blocks without a flag, and with `run`, are run by the tests as they stand. */
function isRunnable(info: string, code: string): boolean {
  if (!/^ts( run)?$/.test(info.trim())) return false;
  const imported = [...code.matchAll(/\bfrom "([^"]+)"/g)].map(([, name = ""]) => name);
  return imported.every((name) => MODULES.includes(name)) && !NEEDS_A_SERVER.test(code) && DOES_SOMETHING.test(code);
}

/** Wraps the runnable blocks in the component. It has to be called before anything changes the fences' flags. */
export function addRunButtons(md: MarkdownIt): void {
  md.core.ruler.push("runnable", ({ tokens, env }) => {
    const isReference = (env as { relativePath?: string }).relativePath?.startsWith("reference/");
    for (const token of tokens) {
      if (token.type !== "fence") continue;
      // Of the reference, those that are complete programs: others are parts of one.
      const mayRun = !isReference || token.info.trim() === "ts run";
      token.meta = { ...token.meta, isRunnable: mayRun && isRunnable(token.info, token.content) };
    }
  });
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...others) => {
    const html = fence?.(tokens, index, ...others) ?? "";
    const { meta, content = "" } = tokens[index] ?? {};
    const attribute = FAILURE.test(content) ? " has-failures" : "";
    return meta?.isRunnable ? `<RunBlock${attribute}>${html}</RunBlock>\n` : html;
  };
}
