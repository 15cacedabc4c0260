// Toasts: short messages about a finished action, with a way to undo it.
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';

export interface Toast {
  readonly text: string;
  readonly undo?: (() => void) | undefined;
}

const SHOWN_MS = 6_000;
const SHOWN_MAX = 3;

interface ShownToast extends Toast {
  readonly id: number;
}

let shown: readonly ShownToast[] = [];
let count = 0;
const listeners = new Set<() => void>();

const show = (toasts: readonly ShownToast[]): void => {
  shown = toasts;
  for (const tell of listeners) tell();
};

const dismiss = (id: number): void => show(shown.filter((each) => each.id !== id));

export const toast = (text: string, undo?: () => void): void => {
  const id = ++count;
  show([...shown, { id, text, undo }].slice(-SHOWN_MAX));
  setTimeout(dismiss, SHOWN_MS, id);
};

/** Stands once in a page. */
export const Toasts = () => {
  const [, draw] = useState(0);
  useEffect(() => {
    const tell = (): void => draw((times) => times + 1);
    listeners.add(tell);
    return () => void listeners.delete(tell);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, undo }) => (
        <div key={id} class="toast">
          {text}
          {undo && (
            <Button
              press={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
        </div>
      ))}
    </div>
  );
};
