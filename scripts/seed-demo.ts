import { SingleBar } from "cli-progress";
import { withConnection } from "#db/connection.ts";
import { requireSupportedSchema } from "#db/migrations/schema-state.ts";
import { explain } from "./command/explain.ts";
import { requireNoRealDatabase } from "./supervisor/real-site.ts";

try {
  await loadDemo();
  process.exit();
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

async function loadDemo(): Promise<void> {
  // Imported late, because loading the configuration throws when a setting is wrong.
  const { config } = await import("#app/config.server.ts");
  await withConnection(config.database.directUrl ?? "", requireNoRealDatabase);
  await withConnection(config.database.directUrl ?? "", requireSupportedSchema);
  const { allowLongStatements } = await import("#db/client.server.ts");
  const { seedDemo } = await import("#demo/seed/seed.server.ts");
  const { seedOffer } = await import("#demo/seed/offer.server.ts");
  const { seedPurchase } = await import("#demo/seed/purchase.server.ts");
  allowLongStatements();
  const bar = new SingleBar({ format: "{bar} {value} of {total}", hideCursor: true });
  let isFirst = false;
  await seedDemo((done, total) => {
    if (done === 0) {
      isFirst = true;
      console.log("Loading the demo catalog …");
      bar.start(total, 0);
    }
    bar.update(done);
  });
  bar.stop();
  await seedOffer();
  if (isFirst) await seedPurchase();
}
