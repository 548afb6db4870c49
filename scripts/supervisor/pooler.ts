/** What a provider lists first is often a pooler's address. */
const CURE = "set it to the server's own, direct address, which the provider shows beside it.";

export const POOLER = `DATABASE_URL leads to a pooler such as PgBouncer, which loses announcements and locks: ${CURE}`;

export const UNHEARD = `The database's announcements do not arrive, usually because DATABASE_URL leads to a pooler such as PgBouncer: ${CURE}`;
