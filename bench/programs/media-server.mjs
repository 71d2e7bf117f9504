/**
 * The server for uploads and downloads, in a separate process on loopback. It accepts uploads and serves one file. It
 * ends with the process that started it.
 */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";

const file = process.argv[2];
const { size } = statSync(file);

const server = createServer((request, response) => {
  const json = (body) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (request.method !== "GET") {
    let received = 0;
    request.on("data", (chunk) => {
      received += chunk.length;
    });
    // assemblyai reads `upload_url`.
    request.on("end", () => json({ id: "mtg_bench", status: "processing", received, upload_url: String(received) }));
  } else if (request.url.endsWith("/recording")) {
    json({ meeting_id: "mtg_bench", recording_url: `http://${request.headers.host}/file` });
  } else {
    response.writeHead(200, { "content-type": "video/mp4", "content-length": size, etag: '"bench"' });
    createReadStream(file).pipe(response);
  }
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
