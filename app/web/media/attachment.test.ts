import { expect, test } from "vitest";
import { attachment } from "./attachment.ts";

test.each([
  ["video-720.mp4", 'attachment; filename="video-720.mp4"'],
  ["Day 1 (final).mov", 'attachment; filename="Day 1 (final).mov"'],
  ["été.mov", "attachment; filename=\"ete.mov\"; filename*=UTF-8''%C3%A9t%C3%A9.mov"],
  ["映画's.mkv", "attachment; filename=\"__'s.mkv\"; filename*=UTF-8''%E6%98%A0%E7%94%BB%27s.mkv"],
  ['a"; filename="b.exe', 'attachment; filename="a_; filename=_b.exe"'],
  ["a\r\nSet-Cookie: x=1.mp4", 'attachment; filename="a__Set-Cookie_ x=1.mp4"'],
  ["../../etc/passwd", 'attachment; filename="__.._etc_passwd"'],
  ["photo\u202egpj.exe", 'attachment; filename="photo_gpj.exe"'],
  ["100%25.jpg", "attachment; filename=\"100_25.jpg\"; filename*=UTF-8''100%2525.jpg"],
  ["half\ud800.jpg", 'attachment; filename="half_.jpg"'],
])("a file named %j is saved under a safe name", (name, header) => {
  expect(attachment(name)).toBe(header);
  expect(() => new Headers({ "Content-Disposition": header })).not.toThrow();
});

test.each([
  ["CON", "CON_"],
  ["nul.jpg", "nul_.jpg"],
  ["Com1 .tar.gz", "Com1_ .tar.gz"],
  ["Console.jpg", "Console.jpg"],
])("Windows does not take %j for a device", (name, saved) => {
  expect(attachment(name)).toBe(`attachment; filename="${saved}"`);
});

test("joiners stay in a name, because they change it", () => {
  const names = ["می\u200cخواهم.jpg", "👩\u200d🎨.jpg"];
  for (const name of names) expect(attachment(name)).toContain(encodeURIComponent(name));
});

test("a long name keeps its ending, has at most 200 bytes, and ends with a whole character", () => {
  expect(attachment(`${"x".repeat(255)}.mov`)).toBe(`attachment; filename="${"x".repeat(196)}.mov"`);
  const savedAs = (name: string) => decodeURIComponent(attachment(name).split("UTF-8''")[1] ?? "");
  expect(savedAs(`${"写".repeat(150)}.zip`)).toBe(`${"写".repeat(65)}.zip`);
  const family = "👨\u200d👩\u200d👧";
  expect(savedAs(`${family.repeat(30)}.zip`)).toBe(`${family.repeat(10)}.zip`);
});
