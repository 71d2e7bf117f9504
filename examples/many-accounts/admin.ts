/**
 * What somebody does by hand. `docs/operations.md` says when:
 *
 *   npx tsx admin.ts webhook acme          a new webhook with a new secret; no delivery is refused
 *   npx tsx admin.ts token acme < FILE     a new token
 *   npx tsx admin.ts key                   encrypts everything with the first key of ENCRYPTION_KEYS
 *   npx tsx admin.ts forget acme mtg_1 …   deletes meetings for good
 */
import { text } from "node:stream/consumers";
import { Notetaker } from "notetaker-sdk";
import { forgetMeetings } from "notetaker-sdk/sql";
import * as customers from "./customers.js";
import { addOnce, changes, events, ticks } from "./queue.js";

const [command, customer = "", ...ids] = process.argv.slice(2);

/** A slip of the pen must not make a customer, or look like a success. */
async function checkCustomer(): Promise<void> {
  if (!(await customers.isCustomer(customer))) throw new Error(`there is no customer "${customer}"`);
}

const COMMANDS: Record<string, () => Promise<string>> = {
  async webhook() {
    const opened = await customers.openCustomer(customer);
    if (opened === undefined || opened.leaving) throw new Error("no such customer, or its token is refused");
    await customers.replaceWebhook(customer, opened.notetaker);
    return `${customer} has a new webhook`;
  },

  async token() {
    await checkCustomer();
    const token = (await text(process.stdin)).trim();
    await new Notetaker({ token, maxRetries: 0 }).webhooks.list(); // a token that is refused is not stored
    if (!(await customers.saveCustomer(customer, token))) throw new Error("the customer is about to leave");
    await addOnce("join", customer);
    return `${customer} has a new token`;
  },

  key: async () => `${await customers.useCurrentKey()} texts were encrypted with the current key`,

  async forget() {
    await checkCustomer();
    if (ids.length === 0) throw new Error("expected the ids of meetings");
    const known = "SELECT FROM notetaker_meetings WHERE account = $1 AND id = ANY ($2)";
    const { rowCount } = await customers.pool.query(known, [customer, ids]);
    await forgetMeetings(customers.storeOf(customer), ids);
    return `${ids.length} ids are forgotten, ${rowCount} of them of stored meetings`;
  },
};

try {
  const run = COMMANDS[command ?? ""];
  if (run === undefined) throw new Error(`expected one of ${Object.keys(COMMANDS).join(", ")}`);
  console.log(await run());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await Promise.all([events, ticks, changes].map((queue) => queue.close()));
  await customers.pool.end();
}
