import { Hono } from "hono";
import { PUT } from "./route.js";

const app = new Hono();

app.put("/api/recordings", (c) => PUT(c.req.raw));

export default app;
