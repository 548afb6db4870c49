import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isLoopbackAddress } from "#app/config/addresses.ts";

/** Opens the stand-in's control page from another machine. The key changes with the secret key. */
export function controlKeyOf(secretKey: string): string {
  return createHmac("sha256", secretKey).update("control-key").digest("base64url");
}

const COOKIE = "stand-in-key";
const LIFETIME_SECONDS = 24 * 3600;
const FORWARDED = ["x-forwarded-host", "x-forwarded-for", "x-forwarded-proto", "forwarded"];

/**
 * The control page shows everybody's payments and moves the clock, so it opens only on this machine, or from another
 * one with its key.
 */
export function mayControl(request: IncomingMessage, secretKey: string): boolean {
  const isForwarded = FORWARDED.some((name) => name in request.headers);
  if (!isForwarded && isLoopbackAddress(request.socket.remoteAddress ?? "")) return true;
  const cookies = (request.headers.cookie ?? "").split(";").map((part) => part.trim());
  return cookies.some(
    (part) => part.startsWith(`${COOKIE}=`) && isKey(part.slice(COOKIE.length + 1), secretKey),
  );
}

/** The Set-Cookie header that stores the key from the address; null when the key is missing or wrong. */
export function keepControlKey(params: URLSearchParams, secretKey: string): string | null {
  const key = params.get("key") ?? "";
  if (!isKey(key, secretKey)) return null;
  return `${COOKIE}=${key}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax`;
}

function isKey(given: string, secretKey: string): boolean {
  const [key, other] = [Buffer.from(controlKeyOf(secretKey)), Buffer.from(given)];
  return key.length === other.length && timingSafeEqual(key, other);
}
