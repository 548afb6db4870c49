import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listTouched } from "./touched.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "peony-touched-"));
  git("init", "-q", "-b", "main");
  commit("first.ts");
  commit("second.ts");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a branch touches what differs from where it left main, and what is not committed", () => {
  git("checkout", "-q", "-b", "work");
  commit("third.ts");
  write("third.ts", "changed");
  write("new.ts");
  expect(listTouched(false, folder)?.sort()).toEqual(["new.ts", "third.ts"]);
  expect(listTouched(true, folder)?.sort()).toEqual(["new.ts", "third.ts"]);
});

test("on main itself, only what is not committed is touched", () => {
  write("second.ts", "changed");
  expect(listTouched(false, folder)).toEqual(["second.ts"]);
});

test("in CI, a clone of main is compared with what main was before the landing", () => {
  git("checkout", "-q", "-b", "work");
  commit("third.ts");
  commit("fourth.ts");
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "Land two files", "work");
  expect(listTouched(true, folder)?.sort()).toEqual(["fourth.ts", "third.ts"]);
});

test("in CI, a main without a landing says nothing: another merge may be a part of the change", () => {
  expect(listTouched(true, folder)).toBeNull();
  git("checkout", "-q", "-b", "work");
  commit("third.ts");
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "Merge branch work", "work");
  expect(listTouched(true, folder)).toBeNull();
});

test("a clone without history says nothing", () => {
  git("checkout", "-q", "-b", "work");
  commit("third.ts");
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", "Land a file", "work");
  const shallow = join(folder, "shallow");
  git("clone", "-q", "--depth=1", `file://${folder}`, shallow);
  expect(listTouched(true, shallow)).toBeNull();
});

test("a folder without git says nothing", () => {
  rmSync(join(folder, ".git"), { recursive: true });
  expect(listTouched(false, folder)).toBeNull();
});

function write(name: string, text = name): void {
  writeFileSync(join(folder, name), text);
}

function commit(name: string): void {
  write(name);
  git("add", name);
  git("-c", "user.name=A", "-c", "user.email=a@peony.example", "commit", "-q", "-m", `Add ${name}`);
}

function git(...args: string[]): void {
  const identity = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@peony.example" };
  const committer = { GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@peony.example" };
  execFileSync("git", args, {
    cwd: folder,
    env: { ...process.env, ...identity, ...committer, GIT_CEILING_DIRECTORIES: tmpdir() },
  });
}
