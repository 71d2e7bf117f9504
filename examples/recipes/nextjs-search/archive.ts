/** `npx tsx --env-file=.env.local archive.ts`: keeps the meetings of all tenants in Postgres, where they are searched. */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { postgresStore } from "notetaker-sdk/sql";
import { database } from "./lib/database";
import { TENANTS } from "./lib/tenants";

for (const { id, token } of TENANTS) {
  const into = postgresStore(database, { account: id });
  void syncMeetings(new Notetaker({ token }), { into, follow: true });
}
