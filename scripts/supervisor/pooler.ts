/** What a provider lists first is often a pooler's address. */
export const POOLER =
  "DATABASE_URL leads to a pooler such as PgBouncer, which loses announcements and locks: set it to the server's own, direct address, which the provider shows beside it.";
