import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { refuseCalls } from "#tests/support/process/refusing-disk.mjs";
import { openFolderWarning, prepareDataFolder } from "./data-folder.ts";
import { openPortWarning } from "./start-warnings.ts";

const warningFor = (host: string | undefined, trustedProxies: number | string[]) =>
  openPortWarning({ ...config.web, port: 8080, host, trustedProxies });

test.each([undefined, "0.0.0.0", "::", "192.168.1.5", "peony.internal"])(
  "a host who counts proxies and listens on %s is warned, with what to set",
  (host) => {
    for (const proxies of [1, 2]) {
      expect(warningFor(host, proxies)).toMatch(
        /TRUST_PROXY=\d .*port 8080.*the proxy's address.*127\.0\.0\.1:8080:8080/,
      );
    }
  },
);

test.each<[string | undefined, number | string[]]>([
  ["127.0.0.1", 1],
  ["::1", 1],
  ["localhost", 2],
  [undefined, 0],
  ["0.0.0.0", ["172.17.0.1"]],
  [undefined, ["10.0.0.0/8"]],
])("a host who listens on %s and trusts %j is not warned", (host, proxies) => {
  expect(warningFor(host, proxies)).toBeNull();
});

test.each(["EPERM", "ENOTSUP", "ENOSYS"])(
  "a data folder whose disk refuses to close it (%s) lets the site start, with a warning",
  (code) => {
    const folder = mkdtempSync(join(tmpdir(), "peony-open-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o755);
    const end = refuseCalls({ chmod: code });
    prepareDataFolder(folder);
    end();
    expect(openFolderWarning(folder)).toContain(folder);
    prepareDataFolder(folder);
    expect(openFolderWarning(folder)).toBeNull();
  },
);

test("a data folder on a broken disk ends the start", () => {
  const folder = mkdtempSync(join(tmpdir(), "peony-open-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  onTestFinished(refuseCalls({ chmod: "EIO" }));
  expect(() => prepareDataFolder(folder)).toThrow("EIO");
});
