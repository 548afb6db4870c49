// Preloaded by NODE_OPTIONS: web processes begin after SLOW_START_MS, as on a busy computer.
import cluster from "node:cluster";

if (cluster.isWorker)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(process.env.SLOW_START_MS));
