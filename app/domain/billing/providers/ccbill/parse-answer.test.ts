import { expect, test } from "vitest";
import { parseAnswer, parseCsvLine } from "./parse-answer.ts";

/** Captured from a live account. */
const LIVE = `<?xml version='1.0' standalone='yes'?>
<results>
  <nextBillingDate>20260801</nextBillingDate>
  <subscriptionStatus>2</subscriptionStatus>
  <timesRebilled>121</timesRebilled>
</results>`;

test("a status is read from XML and from CSV", () => {
  const fields = new Map([
    ["nextBillingDate", "20260801"],
    ["subscriptionStatus", "2"],
    ["timesRebilled", "121"],
  ]);
  expect(parseAnswer(LIVE)).toEqual({ fields });
  const csv = `"nextBillingDate","subscriptionStatus","timesRebilled"\n"20260801","2","121"\n`;
  expect(parseAnswer(csv)).toEqual({ fields });
});

test("a code is read however it is written", () => {
  const written = [
    "-3",
    '"-3"',
    "<results>-3</results>",
    '"results"\n"-3"',
    "<?xml version='1.0'?>\n<results>-3</results>\n",
  ];
  for (const text of written) expect([text, parseAnswer(text)]).toEqual([text, { code: -3 }]);
});

test("anything else is no answer", () => {
  const wrong = [
    "",
    "<html></html>",
    LIVE.replace("</results>", ""),
    LIVE.replace("<timesRebilled>", "<timesRebilled kind='x'>"),
    LIVE.replace("121", "<b>1</b>"),
    LIVE.replaceAll("timesRebilled", "subscriptionStatus"),
    LIVE.replaceAll("subscriptionStatus", "status"),
    '"a","b"\n"1"',
    '"results"\n"1"\n"2"',
  ];
  for (const text of wrong) expect([text, parseAnswer(text)]).toEqual([text, null]);
});

test("cells may be quoted, and hold commas and quotes", () => {
  expect(parseCsvLine('"a","b, ""c""",d,')).toEqual(["a", 'b, "c"', "d", ""]);
  for (const broken of ['"a', '"a"b,c', 'a"b']) expect(parseCsvLine(broken)).toBeNull();
});
