import { config } from "#app/config.server.ts";

/** "__Host-" pins a cookie to this host over https; browsers refuse the prefix on plain http. */
export function cookieName(name: string): string {
  return config.web.isSecure ? `__Host-${name}` : name;
}
