interface Modifiers {
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Such a key press or click is a command of the browser. */
export function hasModifier({ ctrlKey, metaKey, altKey, shiftKey }: Modifiers): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}

export function opensOtherTab(click: Modifiers & { button: number }): boolean {
  return click.button !== 0 || hasModifier(click);
}
