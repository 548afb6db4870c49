import { Agent, type IncomingHttpHeaders, request } from "node:http";

/** As many as a browser opens to one host. */
const MAX_CONNECTIONS = 6;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let browsers = 0;

/**
 * A browser with an empty cache and connections of its own; cheap, because it shares the site's processors. Each has
 * another address, because searches are counted by it.
 */
export class Browser {
  readonly #address = addressOf(browsers++);
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });

  constructor(
    private readonly origin: string,
    private readonly cookie: string,
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#send(path, { headers });
  }

  post(path: string, fields: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams(fields).toString();
    const headers = { origin: this.origin, "content-type": "application/x-www-form-urlencoded" };
    return this.#send(path, { method: "POST", headers, body });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** Rejects an answer without success. */
  #send(
    path: string,
    { method = "GET", headers, body }: { method?: string; headers: Record<string, string>; body?: string },
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const own = { cookie: this.cookie, "x-forwarded-for": this.#address };
      const allHeaders = { ...own, "accept-encoding": "gzip", ...headers };
      const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
      const sent = request(this.origin + path, {
        method,
        agent: this.#agent,
        headers: { ...allHeaders, ...length },
      });
      sent.on("error", reject).on("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("error", reject).on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const { statusCode: status = 0, headers: received } = answer;
          if (status >= 300) reject(new Error(`${path} answered with ${status}`));
          else resolve({ status, headers: received, body: Buffer.concat(chunks) });
        });
      });
      sent.end(body);
    });
  }
}

function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}
