import { seedDemo } from "#db/seed/demo.server.ts";

await seedDemo();
process.exit(0);
