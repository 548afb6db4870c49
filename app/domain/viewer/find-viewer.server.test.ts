import { expect, test } from "vitest";
import { hashSecret } from "#app/domain/auth/secrets.server.ts";
import { createSession } from "#app/domain/auth/sessions.server.ts";
import { createMember, subscribe } from "#tests/support/people.ts";
import { findSignedIn } from "./find-viewer.server.ts";

test("the live subscription counts when there are two", async () => {
  const member = await createMember();
  await subscribe(member.id, "canceled");
  await subscribe(member.id, "trialing", { periodEnd: new Date(Date.now() + 3600_000) });
  const { token } = await createSession({
    userId: member.id,
    device: "Firefox on Linux",
    network: null,
  });
  expect((await findSignedIn(hashSecret(token)))?.subscription?.status).toBe("trialing");
});
