/** Prints the result of each check. */
let failures = 0;

export function expect(name, holds, detail) {
  console.log(`${holds ? "holds " : "FAILS "} ${name}: ${detail}`);
  failures += holds ? 0 : 1;
}

export function endAfter(time) {
  const runtime = globalThis.Bun === undefined ? `Node ${process.versions.node}` : `Bun ${globalThis.Bun.version}`;
  console.log(`${failures === 0 ? "passed" : "FAILED"} after ${time} on ${runtime}`);
  process.exit(failures === 0 ? 0 : 1);
}
