interface ChoiceProps {
  label: string;
  name: string;
  value: string | null;
  /** What the empty choice is called; without one there is none. */
  any?: string;
  options: readonly (readonly [value: string, label: string])[];
}

export function Choice({ label, name, value, any, options }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select name={name} defaultValue={value ?? ""}>
        {any === undefined ? null : <option value="">{any}</option>}
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
