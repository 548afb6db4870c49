import {
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publicProblem, storeProblem, versionsProblem } from "#app/domain/media/storage/s3-check.server.ts";
import { type Engine, startEngine } from "#tests/support/store/engine.ts";
import { s3From } from "#tests/support/store/storage-from.ts";

let engine: Engine;
let settings: Record<string, string>;
beforeAll(async () => {
  engine = await startEngine();
  settings = await engine.bucket();
});
afterAll(() => engine?.stop());

test("a store that works and is closed has no problem", async () => {
  expect(await storeProblem(s3From(settings))).toBeNull();
  expect(await publicProblem(s3From(settings))).toBeNull();
});

test("a bucket that gives its objects to strangers is refused", async () => {
  const open = s3From(await engine.bucket());
  const statement = {
    Effect: "Allow",
    Principal: "*",
    Action: "s3:GetObject",
    Resource: `arn:aws:s3:::${open.bucket}/*`,
  };
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
  await engine.client.send(new PutBucketPolicyCommand({ Bucket: open.bucket, Policy }));
  expect(await publicProblem(open)).toContain("gives its files to everyone");
  expect(await storeProblem(open)).toContain("gives its files to everyone");
});

test.each([
  [
    "another secret",
    { S3_SECRET_KEY: "another-secret-of-the-store" },
    "S3_SECRET_KEY does not belong to S3_ACCESS_KEY",
  ],
  ["an unknown key", { S3_ACCESS_KEY: "UNKNOWNKEY0000000001" }, "does not know S3_ACCESS_KEY"],
  ["no bucket of this name", { STORAGE: "s3://nowhere" }, "There is no bucket nowhere"],
  ["nobody at the endpoint", { S3_ENDPOINT: "http://127.0.0.1:9" }, "ECONNREFUSED"],
])("%s is said in words", async (_, wrong, sentence) => {
  expect(await storeProblem(s3From({ ...settings, ...wrong }))).toContain(sentence);
});

test("earlier versions are kept, and not forever", async () => {
  const s3 = s3From(await engine.bucket());
  expect(await versionsProblem(s3)).toContain("turn on its versioning");
  const Bucket = s3.bucket;
  await engine.client.send(
    new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }),
  );
  expect(await versionsProblem(s3)).toContain("forever");
  const rule = (NoncurrentDays: number) => ({
    ID: "old",
    Status: "Enabled" as const,
    Filter: { Prefix: "" },
    NoncurrentVersionExpiration: { NoncurrentDays },
  });
  const expire = (days: number) =>
    engine.client.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: [rule(days)] } }),
    );
  await expire(90);
  expect(await versionsProblem(s3)).toContain("forever");
  await expire(30);
  expect(await versionsProblem(s3)).toBeNull();
});
