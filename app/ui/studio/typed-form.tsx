import { Form, type FormProps, useActionData, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { SignedOutNote, useIsSignedOut } from "./signed-out.tsx";
import { useUnsaved } from "./unsaved.ts";

/** A form with one button of its own. What is typed in it is not left without a question until it was sent and taken. */
export function TypedForm({ children, ...form }: FormProps) {
  const [isTyped, setIsTyped] = useState(false);
  const isSent = useRef(false);
  const { state } = useNavigation();
  // What is taken leads to its section; a refusal repeats what was typed.
  const isRefused = useActionData() !== undefined;
  const isHeldBack = useIsSignedOut() && isTyped;
  useUnsaved(isTyped);
  useEffect(() => {
    if (state !== "idle" || !isSent.current) return;
    isSent.current = false;
    setIsTyped(isRefused);
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
