// Several values chosen by name: added from a select, and removed.
import { IconButton } from './button.tsx';
import { type Option, SelectField } from './field.tsx';

interface ChosenProps {
  readonly label: string;
  readonly ids: readonly string[];
  readonly change: (ids: readonly string[]) => void;
  readonly nameOf: (id: string) => string;
}

export const ChosenList = ({ label, ids, change, nameOf }: ChosenProps) => (
  <ul class="chosen" aria-label={label}>
    {ids.map((id) => (
      <li key={id} class="row between">
        {nameOf(id)}
        <IconButton
          icon="remove"
          label={`Remove ${nameOf(id)}`}
          press={() => change(ids.filter((each) => each !== id))}
        />
      </li>
    ))}
  </ul>
);

interface SeveralProps extends Omit<ChosenProps, 'nameOf'> {
  readonly options: readonly Option[];
  readonly problem: string | undefined;
}

export const SeveralField = ({ label, ids, change, options, problem }: SeveralProps) => (
  <div class="stack">
    <SelectField
      label={label}
      value=""
      problem={problem}
      options={[{ value: '', label: 'Add…' }, ...options.filter(({ value }) => !ids.includes(value))]}
      change={(id) => id !== '' && change([...ids, id])}
    />
    <ChosenList
      label={`Chosen: ${label}`}
      ids={ids}
      change={change}
      nameOf={(id) => options.find(({ value }) => value === id)?.label ?? id}
    />
  </div>
);
