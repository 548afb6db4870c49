import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { missingStorePrograms, STORE_PACKAGES } from "#scripts/build/store-packages.mjs";
import { endProcess } from "#tests/support/process/end-process.ts";
import { findTestPort } from "../process/test-port.ts";

const run = promisify(execFile);
const READY_MS = 60_000;
const REGION = "us-east-1";
const KEYS = { access: "TESTKEY0000000000001", secret: "testsecret+/0000000000000000000000000001" };

export interface Engine {
  origin: string;
  /** Settings of a site that stores in a new bucket of its own. */
  bucket(): Promise<Record<string, string>>;
  client: S3Client;
  /** Connections are refused; the objects stay. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Takes connections and answers nothing. */
  hang(): void;
  resume(): void;
  /** Its administration's command line. */
  admin(...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Ceph's S3 gateway with one monitor and one store in memory. */
export async function startEngine(): Promise<Engine> {
  const missing = missingStorePrograms();
  if (missing.length > 0)
    throw new Error(
      `The tests of the object store need Debian's ${STORE_PACKAGES.join(", ")}: install them.`,
    );
  const folder = await mkdtemp(join(tmpdir(), "store-"));
  const ports = [await findTestPort(), await findTestPort(), await findTestPort(), await findTestPort()];
  const [port = 0, monitorPort = 0] = ports;
  const conf = join(folder, "ceph.conf");
  const fsid = randomUUID();
  for (const name of ["mon", "osd", "rgw"]) await mkdir(join(folder, name));
  await writeFile(conf, configuration({ folder, fsid, port, monitorPort }));
  await writeFile(join(folder, "keyring"), "");
  const env = { ...process.env, CEPH_CONF: conf };
  const call = (program: string, ...args: string[]) => run(program, args, { env, timeout: READY_MS });
  const started: ChildProcess[] = [];
  const start = (program: string, ...args: string[]) => {
    const child = spawn(program, args, { env, stdio: "ignore" });
    started.unshift(child);
    return child;
  };
  const origin = `http://127.0.0.1:${port}`;
  const client = new S3Client({
    endpoint: origin,
    region: REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: KEYS.access, secretAccessKey: KEYS.secret },
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  const startGateway = async () => {
    const child = start("radosgw", "-f", "-n", "client.rgw");
    await untilAnswering(origin, child);
    return child;
  };
  const stop = async () => {
    client.destroy();
    // The gateway goes first: without its monitor it needs minutes to end.
    for (const child of started) {
      child.kill("SIGCONT");
      await endProcess(child, 3_000);
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const map = join(folder, "monmap");
    const keyring = join(folder, "keyring");
    await call("monmaptool", "--create", "--fsid", fsid, "--addv", "a", `[v2:127.0.0.1:${monitorPort}]`, map);
    await call("ceph-mon", "-i", "a", "--mkfs", "--monmap", map, "--keyring", keyring);
    start("ceph-mon", "-f", "-i", "a");
    const osd = randomUUID();
    await call("ceph", "osd", "new", osd);
    await call("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", osd);
    start("ceph-osd", "-f", "-i", "0");
    const user = [
      "--uid=test",
      "--display-name=test",
      `--access-key=${KEYS.access}`,
      `--secret-key=${KEYS.secret}`,
    ];
    await call("radosgw-admin", "-n", "client.rgw", "user", "create", ...user);
    let gateway = await startGateway();
    return {
      origin,
      client,
      async bucket() {
        const name = `peony-${randomUUID()}`;
        await client.send(new CreateBucketCommand({ Bucket: name }));
        return {
          STORAGE: `s3://${name}/site`,
          S3_ENDPOINT: origin,
          S3_REGION: REGION,
          S3_ACCESS_KEY: KEYS.access,
          S3_SECRET_KEY: KEYS.secret,
          S3_PATH_STYLE: "on",
        };
      },
      down: () => endProcess(gateway, 3_000),
      async up() {
        gateway = await startGateway();
      },
      hang: () => void gateway.kill("SIGSTOP"),
      resume: () => void gateway.kill("SIGCONT"),
      admin: async (...args) => (await call("radosgw-admin", "-n", "client.rgw", ...args)).stdout,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilAnswering(origin: string, gateway: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(100)) {
    if (gateway.exitCode !== null) break;
    const answer = await fetch(origin, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (answer !== null) return;
  }
  throw new Error("The object store's gateway does not answer.");
}

interface Places {
  folder: string;
  fsid: string;
  port: number;
  monitorPort: number;
}

function configuration({ folder, fsid, port, monitorPort }: Places): string {
  return `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitorPort}]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
# Without authentication, the gateway's own default asks forever.
ms mon client mode = crc
ms bind msgr1 = false
keyring = ${folder}/keyring
run dir = ${folder}
admin socket = ${folder}/$name.asok
pid file = ${folder}/$name.pid
log file = ${folder}/$name.log
mon cluster log file = ${folder}/cluster.log
crash dir = ${folder}
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pgp num = 1
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
mon allow pool size one = true
mon allow pool delete = true
mon max pg per osd = 1000
mon data avail warn = 1
mon data avail crit = 0
# Each new pool waits a second otherwise.
paxos propose interval = 0.05
paxos min wait = 0.01
[mon.a]
mon data = ${folder}/mon
[osd]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 4294967296
[client.rgw]
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${port}
rgw thread pool size = 32
rgw dns name = localhost
`;
}
