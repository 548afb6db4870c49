import { CodeField, type RequestedCode } from "#app/ui/forms/code-field.tsx";

interface FormCodeProps {
  code: RequestedCode | null;
  /** The button that the form was sent with. */
  intent: string;
  hasOutbox: boolean;
}

/** For a form whose button carries its intent: the button for another code would send none. */
export function FormCode({ code, intent, hasOutbox }: FormCodeProps) {
  if (code === null) return null;
  return (
    <>
      <input type="hidden" name="intent" value={intent} />
      <CodeField code={code} hasOutbox={hasOutbox} />
    </>
  );
}
