// Needed because the driver greets a closing server thousands of times a minute: decision 035.

import { connect, type Socket } from "node:net";
import type { DatabaseAddress } from "#app/config/database-address.ts";
import { isEncrypted, isUnixSocket } from "./driver-options.ts";
import { encrypt } from "./tls.ts";

const STORM_FROM = 3;
const MAX_WAIT_MS = 1_000;

export class Sockets {
  readonly #open = new Set<Socket>();
  #isEnded = false;
  #unanswered = 0;

  constructor(
    private readonly address: DatabaseAddress,
    private readonly connectTimeoutMs: number,
  ) {}

  /** For the driver's `socket` option: resolves once connected and, where the address says so, encrypted. */
  async open(): Promise<Socket> {
    if (this.#unanswered++ >= STORM_FROM) await this.#pause();
    const isTls = await isEncrypted(this.address);
    if (this.#isEnded) throw Object.assign(new Error("The pool has ended"), { code: "CONNECTION_ENDED" });
    const { host, port } = this.address;
    const socket = connect(
      isUnixSocket(this.address) ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    );
    this.#open.add(socket);
    socket.once("close", () => this.#open.delete(socket));
    const connected = this.#connected(socket);
    return this.#inTime(socket, isTls ? connected.then(() => encrypt(socket, this.address)) : connected);
  }

  /** The server answered a query, so handshakes work. */
  answered(): void {
    this.#unanswered = 0;
  }

  destroy(): void {
    this.#isEnded = true;
    for (const socket of this.#open) socket.destroy();
  }

  #connected(socket: Socket): Promise<Socket> {
    return new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(socket);
      });
    });
  }

  async #inTime(socket: Socket, prepared: Promise<Socket>): Promise<Socket> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(Object.assign(new Error("Connecting took too long"), { code: "CONNECT_TIMEOUT" })),
        this.connectTimeoutMs,
      );
    });
    try {
      return await Promise.race([prepared, late]);
    } catch (error) {
      // An error that follows concerns nobody.
      socket.on("error", () => {}).destroy();
      prepared.catch(() => {});
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #pause(): Promise<void> {
    const wait = Math.min(20 * 2 ** (this.#unanswered - STORM_FROM), MAX_WAIT_MS);
    return new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random() / 2)));
  }
}
