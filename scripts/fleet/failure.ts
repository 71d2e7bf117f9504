/** Measures when a customer whose list has begun to fail is late, and when somebody is told; and counts all other alerts. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type pg from "pg";

const seconds = (from: number, to: number | undefined) =>
  to === undefined ? "not seen" : `${((to - from) / 1_000).toFixed(0)} s`;

interface Notice {
  problem: string;
  cause: string;
  customers: string[];
  since: string;
}

export async function watchFailure(pool: pg.Pool, customer: string) {
  let beganAt: number | undefined;
  let lateAt: number | undefined;
  let toldAt: number | undefined;
  const others = new Map<string, string>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { problem, cause, customers, since } = JSON.parse(body) as Notice;
    if (beganAt !== undefined && customers.includes(customer)) {
      if (problem === "late") toldAt ??= Date.now();
    } else others.set(`${problem} ${cause} ${since}`, `${problem}: ${cause}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const looking = setInterval(async () => {
    if (beganAt === undefined || lateAt !== undefined) return;
    const read = pool.query("SELECT late FROM customer_states WHERE id = $1", [customer]);
    const { rows } = await read.catch(() => ({ rows: [] }));
    if (rows[0]?.late) lateAt = Date.now();
  }, 1_000);
  return {
    alertUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begins() {
      beganAt = Date.now();
    },
    result: () =>
      beganAt === undefined
        ? "not tried"
        : `late after ${seconds(beganAt, lateAt)}, told after ${seconds(beganAt, toldAt)}`,
    others() {
      const problems = [...others.values()];
      const counts = [...new Set(problems)].map((one) => `${problems.filter((other) => other === one).length} ${one}`);
      return counts.join(", ") || "none";
    },
    close() {
      clearInterval(looking);
      server.close();
    },
  };
}
