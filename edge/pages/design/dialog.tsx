// Dialogs over a screen: content of any kind, and the question before what cannot be undone.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  /** Called by Escape too. */
  readonly close: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** Shown while it is mounted. The browser's own dialog keeps the focus inside and gives it back. */
export const Dialog = ({ title, close, wide = false, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div class="stack">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
};

interface ConfirmProps {
  /** Names the action and its object: “Cancel order 1001?”. */
  readonly title: string;
  readonly children: ComponentChildren;
  /** A verb: “Cancel the order”. */
  readonly action: string;
  readonly confirm: () => void;
  readonly close: () => void;
  readonly busy?: boolean;
  readonly danger?: boolean;
}

export const Confirm = ({ title, children, action, confirm, close, busy = false, danger = true }: ConfirmProps) => (
  <Dialog title={title} close={close}>
    <div class="stack">{children}</div>
    <div class="buttons">
      <Button press={close}>Back</Button>
      <Button tone={danger ? 'danger' : 'primary'} busy={busy} press={confirm}>
        {action}
      </Button>
    </div>
  </Dialog>
);
