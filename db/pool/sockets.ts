import { connect, type Socket } from "node:net";

const STORM_FROM = 3;
const MAX_WAIT_MS = 1_000;

interface Address {
  host?: string | string[];
  port?: number | number[];
  path?: string | boolean | null;
}

/** The driver neither gives up a hanging connection nor backs off when the server closes during the handshake. */
export class Sockets {
  readonly #open = new Set<Socket>();
  #isEnded = false;
  #unanswered = 0;

  constructor(private readonly connectTimeoutMs: number) {}

  /** For the driver's `socket` option: resolves once connected. */
  async open({ host, port, path }: Address): Promise<Socket> {
    if (this.#unanswered++ >= STORM_FROM) await this.#pause();
    if (this.#isEnded) throw Object.assign(new Error("The pool has ended"), { code: "CONNECTION_ENDED" });
    const socket =
      typeof path === "string" && path !== ""
        ? connect(path)
        : connect({ host: first(host) ?? "localhost", port: first(port) ?? 5432 });
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    await this.#connected(socket);
    // The driver verifies the certificate against this host.
    return Object.assign(socket, { host: first(host) });
  }

  /** The server answered a query, so handshakes work. */
  answered(): void {
    this.#unanswered = 0;
  }

  destroy(): void {
    this.#isEnded = true;
    for (const socket of this.#open) socket.destroy();
  }

  #connected(socket: Socket): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        socket.destroy(Object.assign(new Error("Connecting took too long"), { code: "CONNECT_TIMEOUT" }));
      }, this.connectTimeoutMs);
      socket.once("connect", () => {
        clearTimeout(timer);
        socket.off("error", reject);
        resolve();
      });
      socket.once("error", (error) => {
        clearTimeout(timer);
        reject(error);
      });
    });
  }

  #pause(): Promise<void> {
    const wait = Math.min(20 * 2 ** (this.#unanswered - STORM_FROM), MAX_WAIT_MS);
    return new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random() / 2)));
  }
}

function first<Value>(values: Value | Value[] | undefined): Value | undefined {
  return Array.isArray(values) ? values[0] : values;
}
