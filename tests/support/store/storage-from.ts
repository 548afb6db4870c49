import type { S3Settings } from "#app/config/s3-settings.ts";
import { parseConfig } from "#app/config.server.ts";
import { s3Storage } from "#app/domain/media/storage/s3.server.ts";
import type { MediaStorage } from "#app/domain/media/storage/storage.ts";

export function s3From(env: Record<string, string>): S3Settings {
  const { s3 } = parseConfig({ ...env }).media;
  if (s3 === null) throw new Error("These settings name no object store.");
  return s3;
}

export function storageFrom(env: Record<string, string>): MediaStorage {
  return s3Storage(s3From(env));
}
