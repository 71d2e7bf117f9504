/** The responses of the receiver and the relay: JSON, and for errors the shape of the service's own error envelope. */
export function jsonResponse(
  status: number,
  code: string,
  message: string = code,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = status === 200 ? { status: code } : { error: { code, message } };
  return new Response(JSON.stringify(body), { status, headers: { ...headers, "Content-Type": "application/json" } });
}
