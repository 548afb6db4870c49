export class AlreadyRunning extends Error {}

interface Ending {
  said: string;
  code: number | null;
  signal: string | null;
}

export interface Where {
  program: string;
  databaseDir: string;
}

const OR_OUTSIDE = "or set DATABASE_URL";
const OTHER_VERSION = /initialized by PostgreSQL version (\d+)[^\n]* this version (\d+)/;
const FAILED = /(?:FATAL|PANIC|error): +(.+)/g;
/** Not FATAL, which is also logged for a connection that ends. */
const BROKE_DOWN = /PANIC: +(.+)/g;

type Sentence = (where: Where, groups: string[]) => string;

/** PostgreSQL's messages, always in English here. */
const REASONS: [RegExp, Sentence][] = [
  [
    /No space left on device|Disk quota exceeded/,
    ({ databaseDir }) => `no space is left for ${databaseDir}: free up some, then start again.`,
  ],
  [/Address already in use/, () => "another program has just taken its port: start again."],
  [
    OTHER_VERSION,
    ({ databaseDir }, [, old, own]) =>
      `${databaseDir} was made by PostgreSQL ${old}, but this is ${own}: start the version of the site that made it, or back up with that version and restore with this one (docs/operations.md).`,
  ],
  [
    /shared memory|semaphores|Cannot allocate memory|out of memory/,
    () => `the system gives it too little memory: free up some or raise the limit, ${OR_OUTSIDE}.`,
  ],
  [
    /error while loading shared libraries/,
    () => `its libraries are incomplete: run npm rebuild, ${OR_OUTSIDE}.`,
  ],
  [
    /could not look up effective user ID/,
    () => `this user has no name on this machine: start as one that /etc/passwd knows, ${OR_OUTSIDE}.`,
  ],
  [
    /could not access the server configuration file|pg_control|valid checkpoint record|invalid data in file "PG_VERSION"/,
    ({ databaseDir }) =>
      `${databaseDir} is incomplete or damaged: restore it from a backup, or delete it to start over.`,
  ],
  [
    /Permission denied|Operation not permitted|wrong ownership/,
    ({ databaseDir }) =>
      `not all of ${databaseDir} belongs to the user who owns that folder: chown -R it to that user, then start again.`,
  ],
  [/Read-only file system/, ({ databaseDir }) => `${databaseDir} is read-only: choose another DATA_DIR.`],
];

const SPAWN_REASONS: Record<string, Sentence> = {
  EACCES: ({ program }) =>
    `${program} cannot be executed: put the project on a file system that is mounted without noexec, ${OR_OUTSIDE}.`,
  ENOENT: ({ program }) =>
    `this system cannot run ${program}, which needs glibc: use the container, ${OR_OUTSIDE}.`,
  EPERM: () => `root cannot change to another user here: start as an ordinary user, ${OR_OUTSIDE}.`,
  EAGAIN: () => "this user has too many processes: end some or raise the limit, then start again.",
  ENOMEM: () => "the system is out of memory: free up some, then start again.",
};

export function spawnFailure(error: NodeJS.ErrnoException, where: Where): Error {
  const sentence = SPAWN_REASONS[error.code ?? ""];
  return failure(sentence?.(where, []) ?? `${error.message}.`);
}

export function endFailure({ said, code, signal }: Ending, where: Where): Error {
  const message = said.replaceAll("/proc/self/cwd", where.databaseDir);
  if (/lock file "postmaster.pid" already exists/.test(said)) {
    return new AlreadyRunning(`Another server runs on ${where.databaseDir}: stop it, then start again.`);
  }
  for (const [pattern, sentence] of REASONS) {
    const match = message.match(pattern);
    if (match) return failure(sentence(where, match));
  }
  return failure(`${lastOf(FAILED, message) ?? `PostgreSQL ended (${signal ?? code}) and gave no reason`}.`);
}

/** Why a running server ended; null if it did not say. */
export function breakdown(said: string): string | null {
  return lastOf(BROKE_DOWN, said);
}

function lastOf(pattern: RegExp, said: string): string | null {
  return [...said.matchAll(pattern)].at(-1)?.[1] ?? null;
}

function failure(reason: string): Error {
  return new Error(`The built-in database cannot start: ${reason}`);
}
