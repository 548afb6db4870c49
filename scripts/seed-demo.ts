import { allowLongStatements } from "#db/client.server.ts";
import { seedDemo } from "#db/seed/demo.server.ts";

allowLongStatements();
await seedDemo();
process.exit(0);
