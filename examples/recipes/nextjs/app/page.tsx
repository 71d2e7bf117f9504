/**
 * The rooms of the account, rendered on the server. The client component gets
 * the page as plain data.
 */
import { connection } from "next/server";
import { cached, notetaker } from "../lib/notetaker";
import { RoomList } from "./room-list";

export default async function RoomsPage() {
  await connection(); // renders at each request, not in `next build`
  const page = await notetaker().rooms.list(
    { limit: 20, expand: ["meetings"] },
    cached,
  );
  return (
    <main>
      <h1>Rooms</h1>
      <RoomList first={page.toJSON()} />
    </main>
  );
}
