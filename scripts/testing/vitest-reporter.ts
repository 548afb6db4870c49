import type { Reporter, TestModule } from "vitest/node";
import { NO_TIME } from "../../tests/support/runner-with-deadline.ts";
import { emptyReport, type Report, writeReport } from "./report.ts";

export default class VitestReporter implements Reporter {
  onTestRunEnd: NonNullable<Reporter["onTestRunEnd"]> = (modules, errors) => {
    const report = emptyReport();
    for (const module of modules) add(report, module);
    for (const { stack, message } of errors)
      report.failures.push({
        file: "",
        title: "an error that no test caught",
        message: stack ?? message,
      });
    writeReport(report);
  };
}

function add(report: Report, module: TestModule): void {
  const file = module.relativeModuleId;
  const tests = [...module.children.allTests()];
  if (tests.some(({ name }) => name === NO_TIME)) {
    report.noTime.push(file);
    return;
  }
  const { collectDuration, duration } = module.diagnostic();
  report.seconds[file] = (collectDuration + duration) / 1000;
  report.passed += tests.filter((test) => test.result().state === "passed").length;
  const failed = tests.filter((test) => test.result().state === "failed");
  for (const test of failed)
    report.failures.push({ file, title: test.fullName, message: textOf(test.result().errors ?? []) });
  // A hook fails outside the tests, and a worker that dies leaves neither a failed test nor a message.
  const own = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())];
  if (own.length > 0 || (module.state() === "failed" && failed.length === 0))
    report.failures.push({ file, title: "the file itself", message: textOf(own) });
}

function textOf(errors: readonly { message: string; stack?: string }[]): string {
  return errors.map(({ message, stack }) => (stack?.includes(message) ? stack : message)).join("\n");
}
