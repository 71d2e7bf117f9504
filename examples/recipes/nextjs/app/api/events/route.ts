import { live } from "../../../lib/live";

export const GET = (request: Request) => live().relay.handle(request);
