import type { Actor } from "#app/domain/staff/actor.ts";
import type { UploadedFile } from "./item-upload.server.ts";

/** A form of an item's page, from somebody who may edit. */
export interface SentForm {
  actor: Actor;
  id: string;
  form: FormData;
  files: UploadedFile[];
}
