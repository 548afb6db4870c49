import { Form, type FormProps, useActionData, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { SignedOutNote, useIsSignedOut } from "./signed-out.tsx";
import { useUnsaved } from "./unsaved.ts";

/** A form with its own button. The page asks before somebody leaves it with text that was not saved. */
export function TypedForm({ children, ...form }: FormProps) {
  const [isTyped, setIsTyped] = useState(false);
  const isSent = useRef(false);
  const { state } = useNavigation();
  // A saved form redirects to its section; a refusal repeats what was typed.
  const isRefused = useActionData() !== undefined;
  const isHeldBack = useIsSignedOut() && isTyped;
  useUnsaved(isTyped);
  useEffect(() => {
    if (state !== "idle" || !isSent.current) return;
    isSent.current = false;
    setIsTyped((wasTyped) => wasTyped && isRefused);
  }, [state, isRefused]);
  return (
    <Form
      {...form}
      onInput={() => setIsTyped(true)}
      onSubmit={(event) => {
        if (isHeldBack) event.preventDefault();
        else isSent.current = true;
      }}
    >
      {children}
      {isHeldBack && <SignedOutNote />}
    </Form>
  );
}
