/** `npx notetaker-sdk mcp`: a real client of the Model Context Protocol talks to it. */
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { servedEmulator } from "../support/served-emulator.js";
import { executable, silentService, startCommand } from "./support.js";

const TOKEN = "tok_secret_0123456789";
const INFO = { name: "test", version: "1.0.0" };

type Called = {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

const server = async (...args: string[]) => ({
  ...{ command: process.execPath, args: [await executable(), "mcp", "--emulator", ...args] },
  ...{ env: {}, stderr: "pipe" as const },
});

interface AnyClient {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ tools: { name: string; title?: string; annotations?: object }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

type Version = [name: string, client: new (info: object) => AnyClient, transport: new (server: object) => object];
const VERSIONS = [
  ["version 1", ClientV1, TransportV1],
  ["version 2", ClientV2, TransportV2],
] as unknown as Version[];

describe.each(VERSIONS)("the client of %s", (_, Client, Transport) => {
  const connect = async (...args: string[]) => {
    const client = new Client(INFO);
    await client.connect(new Transport(await server(...args)));
    onTestFinished(() => client.close());
    return client;
  };

  it("lists the tools, finds, searches and reads, and gets errors as results", async () => {
    const client = await connect();
    const call = async (name: string, input: Record<string, unknown> = {}) => {
      const result = (await client.callTool({ name, arguments: input })) as Called;
      expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(result.structuredContent);
      return { data: result.structuredContent as Record<string, never>, isError: result.isError === true };
    };
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === "find_meetings")).toMatchObject({
      title: "Find meetings",
      annotations: { readOnlyHint: true, destructiveHint: false },
    });
    expect(tools.map(({ name }) => name)).not.toContain("send_bot");
    expect((await call("find_meetings", { limit: 2 })).data.meetings).toHaveLength(2);
    expect((await call("search_transcript", { meeting_id: "mtg_1", query: "the" })).data.matches).not.toEqual([]);
    expect((await call("get_transcript", { meeting_id: "mtg_1" })).data.text).toContain("[00:00:0");
    expect(await call("get_transcript", { meeting_id: "mtg_nothing" })).toMatchObject({
      isError: true,
      data: { error: { name: "NotFoundError" } },
    });
    expect(await call("send_bot", { meeting_url: "https://zoom.us/j/1" })).toMatchObject({
      isError: true,
      data: { error: { message: expect.stringContaining("--write") } },
    });
    await expect(client.callTool({ name: "no_such_tool" })).rejects.toMatchObject({ code: -32602 });
  });

  it("writes with --write, and has only the tools of --only", async () => {
    const client = await connect("--write", "--only", "send_bot,get_meeting");
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["get_meeting", "send_bot"]);
    const sent = (await client.callTool({
      name: "send_bot",
      arguments: { meeting_url: "https://zoom.us/j/123" },
    })) as Called;
    expect(sent.structuredContent).toMatchObject({ meeting_id: expect.stringMatching(/^mtg_/) });
  });
});

describe("the command", () => {
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const initialize = message(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: INFO });

  it("answers what it was asked before its input ended, with nothing else on stdout", async () => {
    const { env } = await servedEmulator({ token: TOKEN });
    // Something else in the process writes to the console during each request.
    const noisy =
      "const send = fetch; globalThis.fetch = (...all) => { console.log('noise'); process.stdout.write('noise'); return send(...all); };";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(noisy)}`;
    const { child, output, ended } = await startCommand(["mcp"], { ...env, NODE_OPTIONS });
    child.stdin?.end(initialize + message(2, "tools/call", { name: "list_rooms", arguments: { limit: 1 } }));
    expect(await ended).toBe(0);
    const answers = output.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[1].result.structuredContent.rooms).toHaveLength(1);
    expect(output.stderr).toContain("noise");
    expect(output.stdout + output.stderr).not.toContain(TOKEN);
  });

  it("goes on after lines that are no message, and says on stderr that it refused them", async () => {
    const { child, output, ended } = await startCommand(["mcp", "--emulator"]);
    child.stdin?.write(initialize.replace("\n", "\r\n"));
    child.stdin?.write('\n \nsecret words\n[]\n5\n{"id":5}\n');
    child.stdin?.write(Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x0a]));
    child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/unknown"}\n');
    child.stdin?.write(message(6, "tools/call", 5 as never) + message(7, "unknown/method", {}));
    // The last line has no end.
    child.stdin?.end(message(8, "ping", {}).trimEnd());
    expect(await ended).toBe(0);
    const lines = output.stdout.trimEnd().split("\n");
    const answers = lines.map((line) => JSON.parse(line)).map(({ id, error }) => [id, error?.code ?? "a result"]);
    expect(answers).toEqual(
      expect.arrayContaining([
        [1, "a result"],
        [null, -32_700],
        [6, -32_600],
        [7, -32_601],
        [8, "a result"],
      ]),
    );
    expect(output.stderr).toContain("notetaker-sdk mcp: a line of the input is not a message of the protocol");
    expect(output.stderr).not.toContain("secret");
  });

  it("refuses a line of more than 10 MB, and goes on after it", async () => {
    const { child, output, ended } = await startCommand(["mcp", "--emulator"]);
    child.stdin?.write(initialize);
    const long = message(2, "tools/call", { name: "find_meetings", arguments: { q: "x".repeat(11_000_000) } });
    child.stdin?.write(long + message(3, "ping", {}) + long + long);
    child.stdin?.end(message(4, "ping", {}));
    expect(await ended).toBe(0);
    const answers = output.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 3, 4, null, null, null]);
    expect(answers.find(({ id }) => id === null)).toMatchObject({
      error: { code: -32_600, message: expect.stringContaining("longer than") },
    });
  });

  it("answers in full to a client that reads slowly, although its input has ended", async () => {
    const { child, output, ended } = await startCommand(["mcp", "--emulator"]);
    child.stdout?.pause();
    const ids = Array.from({ length: 100 }, (_, index) => index + 2);
    child.stdin?.end(initialize + ids.map((id) => message(id, "tools/list", {})).join(""));
    // By then the server has read its input, and would have ended.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    child.stdout?.resume();
    expect(await ended).toBe(0);
    const answered = output.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(answered.sort((a, b) => a - b)).toEqual([1, ...ids]);
  });

  it("ends within seconds of its input's end, even if the service never responds", async () => {
    const { env } = await silentService(TOKEN);
    const { child, output, ended } = await startCommand(["mcp"], env);
    child.stdin?.end(initialize + message(2, "tools/call", { name: "list_rooms", arguments: {} }));
    expect(await ended).toBe(0);
    expect(output.stdout + output.stderr).not.toContain(TOKEN);
  });

  it("ends when nobody reads its output, although its input is open", async () => {
    const { child, ended } = await startCommand(["mcp", "--emulator"]);
    child.stdout?.destroy();
    child.stdin?.write(initialize);
    expect(await ended).toBe(0);
  });

  it("ends on Ctrl-C with exit code 0", async () => {
    const { child, output, ended } = await startCommand(["mcp", "--emulator"]);
    child.stdin?.write(initialize);
    await expect.poll(() => output.stdout, { timeout: 60_000 }).toContain("notetaker-sdk");
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });
});
