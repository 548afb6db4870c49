import { existsSync } from "node:fs";

/** Debian's names, which the Dockerfile installs as well. */
export const NGINX_PACKAGES = ["nginx", "libnginx-mod-http-brotli-static"];
export const NGINX = "/usr/sbin/nginx";
export const NGINX_MODULES = "/usr/lib/nginx/modules";
/** setpriv ends nginx with its supervisor, and is in every Debian. */
const FILES = [NGINX, `${NGINX_MODULES}/ngx_http_brotli_static_module.so`, "/usr/bin/setpriv"];

/** Null when all is there. */
export function missingOfNginx(): string | null {
  return FILES.find((path) => !existsSync(path)) ?? null;
}
