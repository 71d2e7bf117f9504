/** The cost of importing a client in a new process, which delays the start of a command or a serverless function. */
const OURS = "notetaker-sdk";
const TOGETHER = "zod and ky together";

const row = (name, ...args) => ({ row: name, program: "programs/import.mjs", args: args.length > 0 ? args : [name] });

export default {
  title: "Import",
  baseline: TOGETHER,
  metrics: { cpu: { title: "CPU, ms", digits: 0 } },
  rounds: { quick: 3, usual: 7, full: 25 },
  warmUp: true,
  programs: () => [
    row(OURS),
    row("notetaker-sdk, by require", "--require", "notetaker-sdk"),
    row(TOGETHER, "zod", "ky"),
    ...["zod", "ky", "openai", "@anthropic-ai/sdk", "stripe", "octokit", "@polar-sh/sdk", "resend", "assemblyai"].map(
      (name) => row(name),
    ),
  ],
  figures: [
    { title: "import, beside zod and ky together, CPU", row: OURS, base: TOGETHER, metric: "cpu", wanted: 0.7 },
  ],
};
