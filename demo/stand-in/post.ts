import { request } from "node:http";

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** This machine's address that it comes from, when it is not the usual one. */
  from?: string;
}

/** Resolves to whether the site has taken it. */
export async function post(sent: WebhookRequest, signal: AbortSignal): Promise<boolean> {
  if (sent.from !== undefined) return postFrom(sent.from, sent, signal);
  const { url, headers, body } = sent;
  const response = await fetch(url, { method: "POST", body, redirect: "manual", signal, headers }).catch(
    () => null,
  );
  // The body must be read to its end, or the connection is not reused.
  await response?.arrayBuffer().catch(() => null);
  return response?.ok ?? false;
}

/** The global fetch cannot choose its own address. */
function postFrom(
  localAddress: string,
  { url, headers, body }: WebhookRequest,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const sending = request(
      url,
      { method: "POST", headers, localAddress, signal, agent: false },
      (response) => {
        const { statusCode = 0 } = response.resume();
        resolve(statusCode >= 200 && statusCode < 300);
      },
    );
    sending.on("error", () => resolve(false));
    sending.end(body);
  });
}
