import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Menu } from "./menu.tsx";

const menu = (given: { needsScripts: boolean; isReady: boolean }) =>
  renderToStaticMarkup(
    <Menu label="Speed" icon={null} {...given}>
      <input type="radio" />
    </Menu>,
  );

test("a menu that needs scripts has no choices before they run, and one that does not has them", () => {
  expect(menu({ needsScripts: true, isReady: false })).not.toContain("radio");
  expect(menu({ needsScripts: true, isReady: true })).toContain("radio");
  expect(menu({ needsScripts: false, isReady: false })).toContain("radio");
});
