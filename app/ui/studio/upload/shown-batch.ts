import type { OwnBatch } from "#app/domain/uploads/own-batches.server.ts";

/** With its times as people read them. */
export type ShownBatch = Omit<OwnBatch, "createdAt" | "keptUntil"> & { createdAt: string; keptUntil: string };
