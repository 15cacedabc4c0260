// The card fields of a provider on the shop's own page, and the button that pays with them.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PaymentElement } from '#proto/gen/client/message.ts';
import { type MountedCard, mountCard } from './card_library.ts';
import { useAction } from './component.tsx';
import { useWords } from './wording_context.ts';

interface CardFieldsProps {
  readonly element: PaymentElement;
  /** Amount with its currency. */
  readonly amount: string;
  /** Page to which the shopper's bank leads back. */
  readonly returnUrl: string;
  readonly paid: () => void;
}

export const CardFields = ({ element, amount, returnUrl, paid }: CardFieldsProps) => {
  const { text } = useWords();
  const place = useRef<HTMLDivElement>(null);
  const card = useRef<MountedCard | null>(null);
  const [ready, setReady] = useState(false);
  const [problem, setProblem] = useState('');
  const { busy, message, run } = useAction();
  useEffect(() => {
    let gone = false;
    void mountCard(element, place.current!, text).then(
      (mounted) => {
        if (gone) return mounted.unmount();
        card.current = mounted;
        setReady(true);
      },
      () => setProblem(text('card_not_loaded')),
    );
    return () => {
      gone = true;
      card.current?.unmount();
    };
  }, [element.client_secret]);
  const pay = (): Promise<void> =>
    run(async () => {
      const wrong = await card.current!.pay(returnUrl);
      if (wrong !== null) return wrong;
      paid();
      return '';
    });
  return (
    <form
      class="card-fields"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void pay();
      }}
    >
      <div ref={place} />
      <button type="submit" class="go wide" aria-disabled={busy || !ready}>
        {busy ? text('processing') : text('pay_amount', { amount })}
      </button>
      <p role="alert">{problem || message}</p>
    </form>
  );
};
