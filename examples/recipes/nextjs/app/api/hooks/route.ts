/** The URL of the webhook. Without a secret, deliveries get 503. */
import { live } from "../../../lib/live";

export const POST = (request: Request) => live().receiver.handle(request);
