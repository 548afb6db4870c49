import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";

export interface ServerUser {
  uid: number;
  gid: number;
}

const NAME = "postgres";
const NO_USER = `Started by root, the built-in database runs as the user ${NAME}, who could not be created: create it (useradd --system ${NAME}), start as another user, or set DATABASE_URL.`;

/**
 * PostgreSQL refuses root and runs only as the owner of its data, so root's server runs as the owner of
 * `databaseDir`, or else as "postgres". Undefined means this process's own user.
 */
export async function findServerUser(databaseDir: string): Promise<ServerUser | undefined> {
  const own = process.getuid?.();
  const owner = await stat(databaseDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (own !== 0) {
    if (owner === null || owner.uid === own) return undefined;
    throw new Error(
      `The database in ${databaseDir} belongs to another user: start as that user, as root, or choose another DATA_DIR.`,
    );
  }
  if (owner === null) return (await lookUp()) ?? (await create());
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  throw new Error(
    `The database in ${databaseDir} belongs to root, but PostgreSQL does not run as root: chown -R ${NAME}: '${databaseDir}', then start again.`,
  );
}

async function create(): Promise<ServerUser> {
  const shell = ["--no-create-home", "--shell", "/usr/sbin/nologin"];
  await run("groupadd", "--system", "--force", NAME);
  await run("useradd", "--system", "--gid", NAME, ...shell, NAME);
  const user = await lookUp();
  if (user === null) throw new Error(NO_USER);
  return user;
}

async function lookUp(): Promise<ServerUser | null> {
  const [uid, gid] = [Number(await run("id", "-u", NAME)), Number(await run("id", "-g", NAME))];
  return uid > 0 && gid > 0 ? { uid, gid } : null;
}

async function run(command: string, ...args: string[]): Promise<string> {
  return promisify(execFile)(command, args).then(
    ({ stdout }) => stdout,
    () => "",
  );
}
