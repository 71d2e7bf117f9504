/** Real servers on this machine, for behaviour that only a real connection has. */
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The origin of a server, which is closed at the end of the test. */
export async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The origin of an HTTP server that is closed at the end of the test. */
export const httpServer = (listener: RequestListener) => listening(createHttpServer(listener));

/** The origin of a server that passes each connection to a function after a request has arrived. */
export const rawServer = (answer: (socket: Socket, request: string) => void) =>
  listening(createTcpServer((socket) => socket.once("data", (data) => answer(socket, data.toString("latin1")))));
