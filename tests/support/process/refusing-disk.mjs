// Preloaded by NODE_OPTIONS, or called by a test: the calls in REFUSED_CALLS ("chmod=EPERM fsync=EINVAL") fail as on a
// disk of another kind. Only folders refuse "fsync" and "open".
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const handle = await fs.promises.open("/dev/null");
const FileHandle = Object.getPrototypeOf(handle);
await handle.close();

/** Returns a function that ends it. */
export function refuseCalls(codes) {
  const real = { ...fs.promises, chmodSync: fs.chmodSync, sync: FileHandle.sync };
  const fail = (syscall) => {
    const error = new Error(`${codes[syscall]}: refused, ${syscall}`);
    return Object.assign(error, { code: codes[syscall], syscall, errno: -1 });
  };
  const isFolder = (path) => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (codes.chmod) {
    fs.promises.chmod = async () => Promise.reject(fail("chmod"));
    fs.chmodSync = () => {
      throw fail("chmod");
    };
  }
  if (codes.copyfile) fs.promises.copyFile = async () => Promise.reject(fail("copyfile"));
  if (codes.rename) fs.promises.rename = async () => Promise.reject(fail("rename"));
  if (codes.open)
    fs.promises.open = async (path, ...rest) => {
      if (isFolder(path)) throw fail("open");
      return real.open(path, ...rest);
    };
  if (codes.fsync)
    FileHandle.sync = async function sync() {
      if ((await this.stat()).isDirectory()) throw fail("fsync");
      return real.sync.call(this);
    };
  syncBuiltinESMExports();
  return () => {
    const { chmodSync, sync, ...promises } = real;
    Object.assign(fs.promises, promises);
    fs.chmodSync = chmodSync;
    FileHandle.sync = sync;
    syncBuiltinESMExports();
  };
}

/** The codes in REFUSED_CALLS. */
const refused = process.env.REFUSED_CALLS;
if (refused) refuseCalls(Object.fromEntries(refused.split(" ").map((call) => call.split("="))));
