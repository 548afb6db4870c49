import { useNavigation } from "@remix-run/react";
import { buttonClass } from "#app/ui/button.tsx";

interface SubmitButtonProps {
  variant?: Parameters<typeof buttonClass>[0];
  /** Which form of the page this is, when there are several: what only its own submission has. */
  isOurs?: (form: FormData) => boolean;
  /** Instead of the words, for as long as the answer takes. */
  busyWords: string;
  children: string;
}

/** Says that it has been pressed. Without JavaScript the browser does. */
export function SubmitButton({ variant, isOurs = () => true, busyWords, children }: SubmitButtonProps) {
  const { formData } = useNavigation();
  const isBusy = formData !== undefined && isOurs(formData);
  return (
    <button type="submit" className={buttonClass(variant)} aria-disabled={isBusy || undefined}>
      {isBusy ? busyWords : children}
    </button>
  );
}
