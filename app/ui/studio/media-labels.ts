import type { Access } from "#app/domain/access/access.ts";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import type { MediaType } from "#app/paths.ts";

export const TYPE_LABELS: Record<MediaType, string> = { video: "Video", photoSet: "Photo set" };

export const ACCESS_CHOICES: readonly (readonly [Access, string])[] = [
  ["free", "Everyone"],
  ["member", "Members, subscribed or not"],
  ["subscriber", "Subscribers"],
];

export const ACCESS_SHORT: Record<Access, string> = {
  free: "Everyone",
  member: "Members",
  subscriber: "Subscribers",
};

export const STATE_LABELS: Record<MediaState, string> = {
  draft: "Draft",
  scheduled: "Scheduled",
  published: "Published",
  hidden: "Hidden",
  takenDown: "Taken down",
  deleted: "Deleted",
};

export const STATE_COLORS: Record<MediaState, "gray" | "green" | "pink" | "red"> = {
  draft: "gray",
  scheduled: "pink",
  published: "green",
  hidden: "gray",
  takenDown: "red",
  deleted: "red",
};
