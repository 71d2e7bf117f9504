/** The URL of a tenant's webhook: its deliveries have the tenant's signature. */
import { live } from "../../../../lib/live";

interface Context {
  params: Promise<{ tenant: string }>;
}

export const POST = async (request: Request, { params }: Context) =>
  live().receiver.handle(request, (await params).tenant);
