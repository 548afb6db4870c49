import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import { createVideo, HOST } from "#tests/support/media.ts";
import { findProblems } from "../problems/problems.server.ts";
import { listCaptions, removeCaptions, renameCaptions, saveCaptions } from "./captions.server.ts";

const BYSTANDER: Actor = { id: crypto.randomUUID(), name: "ann@example.com", role: "records" };
const subRip = (text: string) => Buffer.from(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`);
const named = async (id: string) =>
  (await listCaptions(id)).map(({ language, label, version }) => `${language} ${label} ${version}`);

test("captions are added, replaced, renamed and removed, and the missing ones are a problem", async () => {
  const { id } = await createVideo();
  expect(await findProblems(id)).toContain("missingCaptions");
  const english = { language: "EN", label: " English ", file: subRip("Hello") };
  expect(await saveCaptions(HOST, id, english, null)).toEqual({ saved: true, notes: [] });
  expect(await named(id)).toEqual(["en English 1"]);
  expect(await findProblems(id)).not.toContain("missingCaptions");
  expect(await saveCaptions(HOST, id, english, null)).toMatchObject({
    errors: { language: "There are already captions in English. Replace those instead." },
  });

  const faulty = Buffer.concat([subRip("Hello"), Buffer.from("\n2\n00:00:05,000 --> 00:00:04,000\nBack\n")]);
  const replaced = await saveCaptions(HOST, id, { ...english, file: faulty }, 1);
  expect(replaced).toEqual({
    saved: true,
    notes: ["line 6 was left out, because it has no length: Back"],
  });
  const [{ version = 0 } = {}] = await listCaptions(id);
  expect(await saveCaptions(HOST, id, english, 1)).toMatchObject({ isConflict: true });

  expect(await renameCaptions(HOST, id, { language: "en", label: "English (SDH)" }, "English")).toMatchObject(
    {
      saved: true,
    },
  );
  expect(await renameCaptions(HOST, id, { language: "en", label: "Other" }, "English")).toMatchObject({
    isConflict: true,
  });
  expect(await removeCaptions(HOST, id, "en", 0)).toMatchObject({ isConflict: true });
  expect(await removeCaptions(HOST, id, "en", version)).toMatchObject({ saved: true });
  expect(await named(id)).toEqual([]);
  expect(await findProblems(id)).toContain("missingCaptions");
  const log = await db.execute(sql`SELECT action FROM audit_log WHERE subject_id = ${id} ORDER BY id`);
  expect(log.map(({ action }) => action)).toEqual([
    "media.captionsSaved",
    "media.captionsSaved",
    "media.captionsRenamed",
    "media.captionsRemoved",
  ]);
});

test("a language may be typed by its English name", async () => {
  const { id } = await createVideo();
  const brazilian = { language: " brazilian portuguese", label: "Português", file: subRip("Olá") };
  expect(await saveCaptions(HOST, id, brazilian, null)).toEqual({ saved: true, notes: [] });
  expect(await named(id)).toEqual(["pt-BR Português 1"]);
});

test("a name that is left empty is the language's own", async () => {
  const { id } = await createVideo();
  for (const language of ["English", "de"]) {
    const captions = { language, label: " ", file: subRip("Hello") };
    expect(await saveCaptions(HOST, id, captions, null)).toMatchObject({ saved: true });
  }
  expect(await named(id)).toEqual(["de Deutsch 2", "en English 1"]);
  expect(await renameCaptions(HOST, id, { language: "de", label: "Untertitel" }, "Deutsch")).toMatchObject({
    saved: true,
  });
  expect(await renameCaptions(HOST, id, { language: "de", label: "" }, "Untertitel")).toMatchObject({
    saved: true,
  });
  expect(await named(id)).toEqual(["de Deutsch 2", "en English 1"]);
});

test("an unusable file, language or label is refused with a sentence, and so is a person without the right", async () => {
  const { id } = await createVideo();
  const wrong = {
    language: "english!",
    label: "x".repeat(61),
    file: Buffer.from("1\n00:00:05,000 --> 00:00:04,000\nx\n"),
  };
  expect(await saveCaptions(HOST, id, wrong, null)).toMatchObject({
    errors: {
      language: expect.stringContaining("tag"),
      label: expect.stringContaining("too long"),
      file: "This file cannot be used: line 2 was left out, because it has no length: x.",
    },
  });
  const english = { language: "en", label: "English", file: subRip("Hello") };
  expect(await saveCaptions(BYSTANDER, id, english, null)).toMatchObject({
    errors: { form: expect.stringContaining("role") },
  });
  expect(await named(id)).toEqual([]);
});
