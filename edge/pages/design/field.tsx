// Form fields: a label, the input, advice, and the refusal of the API at this very field.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** Binds a field to a form: `useForm().field('name')` answers one. */
export interface FieldBinding<T> {
  readonly value: T;
  readonly change: (value: T) => void;
  readonly problem?: string | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly advice?: ComponentChildren;
  readonly required?: boolean;
  readonly disabled?: boolean;
  readonly id?: string;
}

interface FrameProps extends FieldProps {
  readonly problem: string | undefined;
  readonly children: (attributes: InputAttributes) => ComponentChildren;
}

interface InputAttributes {
  readonly id: string;
  readonly class: 'input';
  readonly required: boolean;
  readonly disabled: boolean;
  readonly 'aria-invalid': 'true' | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** Frame of a field with an input of one's own: spread the attributes on it. */
export const FieldFrame = ({
  label,
  advice,
  problem,
  required = false,
  disabled = false,
  id,
  children,
}: FrameProps) => {
  const made = useId();
  const own = id ?? made;
  const described = [problem && `${own}-refusal`, advice && `${own}-advice`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={own}>{label}</label>
      {children({
        id: own,
        class: 'input',
        required,
        disabled,
        'aria-invalid': problem ? 'true' : undefined,
        'aria-describedby': described || undefined,
      })}
      {problem && (
        <span class="refusal" id={`${own}-refusal`}>
          {problem}
        </span>
      )}
      {advice && (
        <span class="advice" id={`${own}-advice`}>
          {advice}
        </span>
      )}
    </div>
  );
};

interface TextFieldProps extends FieldProps, FieldBinding<string> {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'tel' | 'url' | 'date' | 'datetime-local' | 'color';
  readonly placeholder?: string;
  readonly autocomplete?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'text';
}

export const TextField = ({
  value,
  change,
  type = 'text',
  placeholder,
  autocomplete,
  inputMode,
  ...field
}: TextFieldProps) => (
  <FieldFrame {...field} problem={field.problem}>
    {(attributes) => (
      <input
        {...attributes}
        // Preact types an input by its type's literal.
        type={type as 'text'}
        value={value}
        placeholder={placeholder}
        autocomplete={autocomplete ?? 'off'}
        inputMode={inputMode}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    )}
  </FieldFrame>
);

export const LongTextField = ({
  value,
  change,
  rows = 4,
  ...field
}: FieldProps & FieldBinding<string> & { readonly rows?: number }) => (
  <FieldFrame {...field} problem={field.problem}>
    {(attributes) => (
      <textarea
        {...attributes}
        rows={rows}
        value={value}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    )}
  </FieldFrame>
);

interface NumberFieldProps extends FieldProps, FieldBinding<number | null> {
  /** Shown beside the input: a currency, or `kg`. */
  readonly unit?: string;
  readonly step?: number | 'any';
  readonly min?: number;
  readonly max?: number;
}

/** An empty field is null. */
export const NumberField = ({ value, change, unit, step = 'any', min, max, ...field }: NumberFieldProps) => (
  <FieldFrame {...field} problem={field.problem}>
    {(attributes) => (
      <span class="affixed">
        <input
          {...attributes}
          type="number"
          inputMode="decimal"
          step={step}
          min={min}
          max={max}
          value={value ?? ''}
          onInput={({ currentTarget }) => {
            // A half-typed number, such as `-`, has an empty value: it must not clear the input.
            if (currentTarget.value === '' && currentTarget.validity.badInput) return;
            change(currentTarget.value === '' ? null : Number(currentTarget.value));
          }}
        />
        {unit && <span class="soft">{unit}</span>}
      </span>
    )}
  </FieldFrame>
);

export interface Option {
  readonly value: string;
  readonly label: string;
}

interface SelectFieldProps extends FieldProps, FieldBinding<string> {
  readonly options: readonly Option[];
}

export const SelectField = ({ value, change, options, ...field }: SelectFieldProps) => (
  <FieldFrame {...field} problem={field.problem}>
    {(attributes) => (
      <select {...attributes} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </FieldFrame>
);

export const CheckField = ({ label, value, change, advice, problem, disabled }: FieldProps & FieldBinding<boolean>) => (
  <div class="field">
    <label class="check">
      <input
        type="checkbox"
        checked={value}
        disabled={disabled}
        aria-invalid={problem ? 'true' : undefined}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      {label}
    </label>
    {problem && <span class="refusal">{problem}</span>}
    {advice && <span class="advice">{advice}</span>}
  </div>
);
