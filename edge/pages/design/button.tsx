// Buttons, and links that look like them.
import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export type ButtonTone = 'plain' | 'primary' | 'danger' | 'quiet';

interface ButtonProps {
  readonly children: ComponentChildren;
  /** Left out for a form's submit button. */
  readonly press?: (() => void) | undefined;
  readonly tone?: ButtonTone;
  readonly icon?: IconName;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly submits?: boolean;
  readonly id?: string;
}

const classOf = (tone: ButtonTone): string => (tone === 'plain' ? 'button' : `button ${tone}`);

/** A busy button stays focusable, so that the keyboard's place on the page is not lost. */
export const Button = ({
  children,
  press,
  tone = 'plain',
  icon,
  busy = false,
  disabled = false,
  submits = false,
  id,
}: ButtonProps) => (
  <button
    id={id}
    type={submits ? 'submit' : 'button'}
    class={classOf(tone)}
    disabled={disabled}
    aria-busy={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : press}
  >
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

interface IconButtonProps {
  readonly icon: IconName;
  /** Read aloud and shown on hover. */
  readonly label: string;
  readonly press: () => void;
  readonly tone?: ButtonTone;
  readonly disabled?: boolean;
}

export const IconButton = ({ icon, label, press, tone = 'quiet', disabled = false }: IconButtonProps) => (
  <button
    type="button"
    class={`${classOf(tone)} only-icon`}
    aria-label={label}
    title={label}
    disabled={disabled}
    onClick={press}
  >
    <Icon name={icon} />
  </button>
);

interface LinkButtonProps {
  readonly to: string;
  readonly children: ComponentChildren;
  readonly tone?: ButtonTone;
  readonly icon?: IconName;
}

export const LinkButton = ({ to, children, tone = 'plain', icon }: LinkButtonProps) => (
  <a class={classOf(tone)} href={to}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
);
