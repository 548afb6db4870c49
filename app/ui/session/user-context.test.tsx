import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { UserProvider, useUser } from "./user-context.tsx";

function Name() {
  return <p>{useUser()?.name ?? "nobody"}</p>;
}

test("reading the user outside the provider throws", () => {
  expect(() => renderToString(<Name />)).toThrow("UserProvider");
});

test("inside the provider, reading the user gives the user or null", () => {
  const ada = { name: "Ada", email: "ada@example.com", avatarUrl: null, initials: "A", rights: [] };
  expect(
    renderToString(
      <UserProvider user={ada}>
        <Name />
      </UserProvider>,
    ),
  ).toContain("Ada");
  expect(
    renderToString(
      <UserProvider user={null}>
        <Name />
      </UserProvider>,
    ),
  ).toContain("nobody");
});
