import { expect, test } from "vitest";
import { assertNoLeaks } from "./log-leaks.ts";
import { createVideo } from "./media.ts";
import { createMember } from "./people.ts";

test.each([
  "mail to ada@example.com was refused",
  "path /signin?next=ada%40example.com",
  "connect postgres://peony:hunter2@127.0.0.1/peony",
  "No such key: sk_test_51Habc",
  '"cookie":"session=eyJhbGciOi"',
  "GET /signin/verify?token=abc",
  '"authorization":"Bearer abcdefgh"',
])("the line %s is recognized by its shape", async (line) => {
  await expect(assertNoLeaks(`fine\n${line}\nfine`)).rejects.toThrow(line);
});

test("a secret, a title and a member's name are recognized by their value", async () => {
  const databaseUrl = process.env.DATABASE_URL;
  const { title } = await createVideo();
  await createMember({ fullName: "Ada Lovelace" });
  for (const value of ["a-secret-of-the-test", title, "Ada Lovelace"]) {
    const output = `{"level":50,"msg":"about ${value}"}`;
    await expect(assertNoLeaks(output, { databaseUrl, secrets: ["a-secret-of-the-test"] })).rejects.toThrow(
      value,
    );
  }
});

test("a site's lines about its requests and its own start are not leaks", async () => {
  const output = [
    "Peony is at http://localhost:3000",
    "Sign-in emails appear at http://localhost:3000/outbox?key=abc",
    "Demo accounts: member@example.com, subscriber@example.com, owner@example.com",
    '{"level":30,"requestId":"1","method":"GET","path":"/content/video/$slug","status":200,"msg":"request"}',
    "    at render (file:///srv/node_modules/@remix-run/react/dist/index.js:10:4)",
    "Questions? contact@peony.example",
  ].join("\n");
  await assertNoLeaks(output, { databaseUrl: process.env.DATABASE_URL });
});
