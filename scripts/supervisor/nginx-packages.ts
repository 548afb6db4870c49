import { existsSync } from "node:fs";

/** Debian's names, as in the Dockerfile. */
export const NGINX_PACKAGES = ["nginx", "libnginx-mod-http-brotli-static"];
export const NGINX = "/usr/sbin/nginx";
export const NGINX_MODULES = "/usr/lib/nginx/modules";
/** setpriv ends nginx with its supervisor, and is part of every Debian. */
const FILES = [NGINX, `${NGINX_MODULES}/ngx_http_brotli_static_module.so`, "/usr/bin/setpriv"];

export function missingOfNginx(): string | null {
  return FILES.find((path) => !existsSync(path)) ?? null;
}
