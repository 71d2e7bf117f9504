/** The rooms of the account, rendered on the server. What a client component gets is the page as plain data. */
import { connection } from "next/server";
import { cached, notetaker } from "../lib/notetaker";
import { RoomList } from "./room-list";

export default async function RoomsPage() {
  await connection(); // rendered at a request, not by `next build`
  const page = await notetaker().rooms.list({ limit: 20, expand: ["meetings"] }, cached);
  return (
    <main>
      <h1>Rooms</h1>
      <RoomList first={page.toJSON()} />
    </main>
  );
}
