import { relative } from "node:path";
import type { Reporter, TestCase, TestError, TestResult } from "@playwright/test/reporter";
import { emptyReport, writeReport } from "./report.ts";

export default class PlaywrightReporter implements Reporter {
  readonly #report = emptyReport();

  onError({ message = "" }: TestError): void {
    this.#report.failures.push({ file: "", title: "Playwright itself", message });
  }

  onTestEnd(test: TestCase, { duration, errors, parallelIndex, status }: TestResult): void {
    const file = relative(process.cwd(), test.location.file);
    this.#report.seconds[file] = (this.#report.seconds[file] ?? 0) + duration / 1000;
    if (status === "skipped") return;
    if (status === test.expectedStatus) {
      this.#report.passed += 1;
      return;
    }
    const title = `[${test.parent.project()?.name}] ${test.title}`;
    const message = errors.map(({ message }) => message).join("\n");
    this.#report.failures.push({ file, title, message, site: parallelIndex });
  }

  onEnd(): void {
    writeReport(this.#report);
  }
}
