// Adjusts a level: by a number of units, or to the number that was counted.
import { useState } from 'preact/hooks';
import { ProblemNote, problemAt, useFormats, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { NamedStockLevel } from '#proto/client/dashboard.ts';

export const nameOf = ({ product_name, variant_name }: NamedStockLevel): string =>
  variant_name ? `${product_name}, ${variant_name}` : product_name;

const MODES = [
  { value: 'by', label: 'Change by a number of units' },
  { value: 'to', label: 'Set to the number that was counted' },
] as const;

interface AdjustProps {
  readonly level: NamedStockLevel;
  readonly close: () => void;
  /** Called after the adjustment, and after it was undone. */
  readonly adjusted: () => void;
}

export const AdjustDialog = ({ level, close, adjusted }: AdjustProps) => {
  const { variant_id, on_hand } = level;
  const { number } = useFormats();
  const write = useWrite();
  const [mode, setMode] = useState('by');
  const [units, setUnits] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const after = mode === 'by' ? on_hand + (units ?? 0) : (units ?? on_hand);
  const field = mode === 'by' ? 'delta' : 'on_hand';

  const save = async (): Promise<void> => {
    const why = reason.trim();
    const made = await write.run(
      (api) =>
        api.inventory.adjust({
          variant_id,
          ...(units === null ? {} : { [field]: units }),
          ...(why === '' ? {} : { reason: why }),
        }),
      {
        done: `${nameOf(level)} is adjusted.`,
        // The change that led to a counted number is not known exactly: units may have been sold meanwhile.
        undo:
          mode === 'by' && units !== null
            ? async (api) => {
                await api.inventory.adjust({
                  variant_id,
                  delta: -units,
                  reason: why === '' ? 'Undone' : `Undone: ${why}`,
                });
                adjusted();
              }
            : undefined,
      },
    );
    if (!made) return;
    close();
    adjusted();
  };

  return (
    <Dialog title={`Adjust ${nameOf(level)}`} close={close}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <SelectField
          label="How"
          options={MODES}
          value={mode}
          change={(next) => {
            setMode(next);
            setUnits(null);
            write.clear();
          }}
        />
        <NumberField
          label="Units"
          step={1}
          {...(mode === 'to' ? { min: 0 } : {})}
          value={units}
          change={setUnits}
          problem={problemAt(write.problem, field)}
          advice={`On hand: ${number(on_hand)} now, ${number(after)} afterwards.`}
        />
        <TextField
          label="Reason"
          advice="Such as a delivery, a count, or damage. The history shows it."
          value={reason}
          change={setReason}
          problem={problemAt(write.problem, 'reason')}
        />
        <ProblemNote
          problem={problemAt(write.problem, field) || problemAt(write.problem, 'reason') ? null : write.problem}
        />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="primary" busy={write.busy}>
            Adjust
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
