// A number in a cell of the grid that is edited in place: Enter or leaving the cell saves it, Escape takes it back.
import { useEffect, useRef, useState } from 'preact/hooks';

interface EditCellProps {
  /** Read aloud: “Price of Mug”. */
  readonly label: string;
  readonly value: number | null;
  readonly step: number | 'any';
  /** Answers why it was not saved; empty if it was. */
  readonly save: (value: number) => Promise<string>;
}

export const EditCell = ({ label, value, step, save }: EditCellProps) => {
  const shown = value === null ? '' : String(value);
  const [text, setText] = useState(shown);
  const [refusal, setRefusal] = useState('');
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  useEffect(() => {
    setText(shown);
    setRefusal('');
  }, [shown]);
  const commit = async (): Promise<void> => {
    if (running.current || text === shown) return;
    if (text === '') return setText(shown);
    running.current = true;
    setBusy(true);
    setRefusal(await save(Number(text)));
    running.current = false;
    setBusy(false);
  };
  return (
    <span class="edit-cell">
      <input
        class="input"
        type="number"
        inputMode="decimal"
        min={0}
        step={step}
        aria-label={label}
        aria-busy={busy || undefined}
        aria-invalid={refusal ? 'true' : undefined}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => void commit()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void commit();
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          setText(shown);
          setRefusal('');
        }}
      />
      {refusal && (
        <span class="refusal" role="alert">
          {refusal}
        </span>
      )}
    </span>
  );
};
