/** What the receiver and the relay answer: JSON, a refusal in the shape of the service's own error envelope. */

export const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...headers, "Content-Type": "application/json" } });

export const refusal = (status: number, code: string, message: string, headers?: Record<string, string>) =>
  answer(status, { error: { code, message } }, headers);
