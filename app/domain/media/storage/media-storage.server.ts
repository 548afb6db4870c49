import { config } from "#app/config.server.ts";
import { localStorage } from "./local.server.ts";
import type { MediaStorage } from "./storage.ts";

export const mediaStorage: MediaStorage = localStorage(config.media.dir);
