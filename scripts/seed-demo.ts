import { SingleBar } from "cli-progress";
import { allowLongStatements } from "#db/client.server.ts";
import { seedDemo } from "#db/seed/demo.server.ts";

allowLongStatements();
const bar = new SingleBar({
  format: "{bar} {value} of {total}",
  hideCursor: true,
});
await seedDemo((done, total) => {
  if (done === 0) console.log("Loading the demo catalogue …");
  if (done === 0) bar.start(total, 0);
  bar.update(done);
});
bar.stop();
process.exit(0);
