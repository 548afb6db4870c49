/** What a provider lists first is often a pooler's address. */
const CURE =
  "set DATABASE_DIRECT_URL to the server's own, direct address, which the provider shows beside it, and leave options out of DATABASE_URL; or set DATABASE_URL alone to the direct address.";

export const POOLER = `DATABASE_URL leads to a pooler such as PgBouncer, which loses announcements and locks: ${CURE}`;

export const DIRECT_POOLER =
  "DATABASE_DIRECT_URL leads to a pooler such as PgBouncer, which loses announcements and locks: set it to the server's own, direct address.";

export const TWO_DATABASES =
  "DATABASE_URL and DATABASE_DIRECT_URL lead to two databases: correct one of them, so that both name one database of one server.";

export const UNHEARD = `The database's announcements do not arrive, usually because the site connects through a pooler such as PgBouncer: ${CURE}`;
