import { createHmac } from "node:crypto";

/** Opens the stand-in's control page from another machine. The key changes with the secret key. */
export function controlKeyOf(secretKey: string): string {
  return createHmac("sha256", secretKey).update("control-key").digest("base64url");
}
