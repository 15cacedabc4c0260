// A button that opens a menu of actions.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly press: () => void;
  readonly icon?: IconName;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
}

/** The arrow keys walk through the items; Escape closes the menu and returns to the button. */
export const Menu = ({ label, items }: MenuProps) => {
  const [open, setOpen] = useState(false);
  const room = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const itemAt = (step: number): void => {
    const all = [...(room.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const now = all.indexOf(document.activeElement as HTMLElement);
    all[(now + step + all.length) % all.length]?.focus();
  };
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!open) return;
    room.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && !room.current?.contains(target)) setOpen(false);
    };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [open]);
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') itemAt(1);
    else if (event.key === 'ArrowUp') itemAt(-1);
    else if (event.key === 'Escape') close();
    if (event.key === 'Tab') setOpen(false);
    else if (['ArrowDown', 'ArrowUp', 'Escape'].includes(event.key)) event.preventDefault();
  };
  return (
    <div class="menu" ref={room}>
      <button
        ref={button}
        type="button"
        class="button"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {label}
        <Icon name="down" />
      </button>
      {open && (
        <div role="menu" aria-label={label} tabIndex={-1} onKeyDown={keys}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close();
                item.press();
              }}
            >
              {item.icon && <Icon name={item.icon} />}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
};
