/** What the receiver and the relay answer: JSON, a refusal in the shape of the service's own error envelope. */
export function jsonResponse(status: number, code: string, message = code, headers = {}): Response {
  const body = status === 200 ? { status: code } : { error: { code, message } };
  return new Response(JSON.stringify(body), { status, headers: { ...headers, "Content-Type": "application/json" } });
}
