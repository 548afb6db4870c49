import { afterAll, expect, test } from "vitest";
import { createMember, signedInCookie } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { Jar } from "../support/cookie-jar.ts";

const site = await startSite({ env: { LOG_LEVEL: "info" } });
afterAll(() => site.stop());

const member = await createMember();
const cookie = await signedInCookie(member.id);
const requester = new Jar(site);
await requester.post("/signin", { email: "typo@example.com", next: "/" });

const picture = () => {
  const form = new FormData();
  form.set("avatar", new File(["no picture"], "my-secret-name.png", { type: "image/png" }));
  return form;
};

const REFUSALS: [string, string, string, () => BodyInit][] = [
  ["a used link", "/signin/verify", "sign-in link", () => new URLSearchParams({ token: "used" })],
  ["an unsupported picture", "/user/account", "account: avatar", picture],
];

test.each(REFUSALS)(
  "%s is refused with an id, and the log has the id but none of the typed values",
  async (...given) => {
    const [, path, why, body] = given;
    for (const address of [path, `${path}.data`]) {
      const cookies = path.startsWith("/user") ? cookie : requester.header();
      const headers = { cookie: cookies, origin: site.origin };
      const answer = await site.fetch(address, { method: "POST", body: body(), headers });
      expect(answer.status).toBe(422);
      const text = (await answer.text()).replaceAll("<!-- -->", "");
      const pattern = address === path ? /Error id: <code>([0-9a-f-]{36})</ : /"errorId","([0-9a-f-]{36})"/;
      const id = pattern.exec(text)?.[1];
      expect(id, address).toBeDefined();
      await expect.poll(() => lineOf(id)).toMatchObject({ why, msg: "form refused" });
    }
    expect(site.output()).not.toMatch(/typo@|00000000|my-secret-name/);
  },
);

test.each([
  ["a wrong code", "/signin/code", "sign-in code: invalid", { code: "00000000" }],
  ["an unticked box", "/user/account", "account: removal", { intent: "delete" }],
])("%s is logged, and its page shows no id, because it says what to do", async (_, path, why, form) => {
  const headers = { cookie: path.startsWith("/user") ? cookie : requester.header(), origin: site.origin };
  const answer = await site.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
  expect(answer.status).toBe(422);
  expect(await answer.text()).not.toContain("Error id");
  await expect.poll(() => site.output()).toContain(`"why":"${why}"`);
  expect(site.output()).not.toContain("00000000");
});

test("a link that no longer works shows such an id, too", async () => {
  const page = (await (await site.fetch("/signin/verify?token=old")).text()).replaceAll("<!-- -->", "");
  const id = /Error id: <code>([0-9a-f-]{36})</.exec(page)?.[1];
  await expect.poll(() => lineOf(id)).toMatchObject({ why: "sign-in link" });
});

function lineOf(id: string | undefined): unknown {
  const line = site
    .output()
    .split("\n")
    .find((one) => id !== undefined && one.includes(id));
  return line === undefined ? null : JSON.parse(line);
}
