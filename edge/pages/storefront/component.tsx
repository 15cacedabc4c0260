// Components and hooks that several screens use: amounts, pictures, stars, fields, loading and actions.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AppliedPromotion } from '#proto/gen/client/message.ts';
import { errorText, type RequestState } from './answer.ts';
import { sourceOf } from './picture.ts';
import { filledPercent, STARS } from './rating.ts';
import { useWords } from './wording_context.ts';

export const Loading = () => (
  <p class="waits" role="status">
    {useWords().text('loading')}
  </p>
);

export const LoadingOrError = ({ problem, retry }: Pick<RequestState<unknown>, 'problem' | 'retry'>) => {
  const { text } = useWords();
  return problem ? (
    <div class="notice" role="alert">
      <p>{problem}</p>
      <button type="button" onClick={retry}>
        {text('try_again')}
      </button>
    </div>
  ) : (
    <Loading />
  );
};

export const useAction = () => {
  const { text } = useWords();
  // Blocks a second click that arrives before the first is rendered.
  const working = useRef(false);
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const run = async (work: () => Promise<string | undefined>): Promise<void> => {
    if (working.current) return;
    working.current = true;
    setBusy(true);
    setMessage('');
    try {
      setMessage((await work()) ?? '');
    } catch (problem) {
      setMessage(errorText(problem, text));
    }
    working.current = false;
    setBusy(false);
  };
  return { busy, message, run };
};

interface DiscountsProps {
  readonly promotions: readonly Pick<AppliedPromotion, 'promotion_id' | 'title' | 'amount'>[];
  readonly currency: string;
}

export const Discounts = ({ promotions, currency }: DiscountsProps) => {
  const { text, money } = useWords();
  return promotions.map(({ promotion_id: id, title, amount }) => (
    <div key={id}>
      <dt>{title}</dt>
      <dd>{amount > 0 ? `−${money(amount, currency)}` : text('free_delivery')}</dd>
    </div>
  ));
};

/** Width of a picture in a grid of cards. */
const CARD_SIZES = '(min-width: 48rem) 16rem, 45vw';

interface PictureProps {
  readonly url: string | null;
  readonly name: string;
  readonly eager?: boolean;
  /** Width at which the page shows the picture, as the attribute `sizes` takes it. */
  readonly sizes?: string;
}

export const Picture = ({ url, name, eager = false, sizes = CARD_SIZES }: PictureProps) => {
  const { text } = useWords();
  const [lost, setLost] = useState(false);
  useEffect(() => setLost(false), [url]);
  return url === null || lost ? (
    <span class="picture none">{name && <span class="unseen">{text('without_picture', { name })}</span>}</span>
  ) : (
    <img
      class="picture"
      {...sourceOf(url, sizes)}
      alt={name}
      loading={eager ? 'eager' : 'lazy'}
      fetchpriority={eager ? 'high' : undefined}
      onError={() => setLost(true)}
    />
  );
};

export const Stars = ({ rating, count }: { readonly rating: number | null; readonly count?: number }) => {
  const words = useWords();
  if (rating === null) return null;
  const stars = words.text('rating', { rating: words.mark(rating), stars: STARS });
  return (
    <span
      class="stars"
      role="img"
      aria-label={count === undefined ? stars : `${stars}, ${words.count(count, 'review')}`}
    >
      <span class="row-of" aria-hidden="true">
        {'☆'.repeat(STARS)}
        <span class={`filled-${filledPercent(rating)}`}>{'★'.repeat(STARS)}</span>
      </span>
      {count !== undefined && <small>({count})</small>}
    </span>
  );
};

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly children: ComponentChildren;
}

// biome-ignore-start lint/a11y/noLabelWithoutControl: its control is what it is given
export const Field = ({ label, hint, children }: FieldProps) => (
  <label class="field">
    <span>
      {label} {hint && <small>{hint}</small>}
    </span>
    {children}
  </label>
);
// biome-ignore-end lint/a11y/noLabelWithoutControl: the same

interface PriceProps {
  readonly selling: number | null;
  readonly before: number | null;
  readonly currency: string;
  readonly from?: boolean;
}

export const Price = ({ selling, before, currency, from = false }: PriceProps) => {
  const { text, money } = useWords();
  const lowered = before !== null && selling !== null && before > selling;
  return (
    <span class="price">
      <b>
        {from && `${text('from_price')} `}
        {money(selling, currency)}
      </b>
      {lowered && (
        <>
          {' '}
          <span class="unseen">{text('instead_of')}</span> <s>{money(before, currency)}</s>
        </>
      )}
    </span>
  );
};

interface CountProps {
  readonly value: number;
  readonly most?: number;
  readonly name: string;
  readonly change: (value: number) => void;
  /** Id of a form that its buttons send, as `step`, while no script runs. */
  readonly form?: string;
}

export const QuantityField = ({ value, most = 999, name, change, form }: CountProps) => {
  const { text } = useWords();
  const set = (wanted: number): void => change(Math.min(most, Math.max(1, Math.floor(wanted) || 1)));
  const step = (wanted: number) => ({
    type: form === undefined ? ('button' as const) : ('submit' as const),
    form,
    name: 'step',
    value: wanted,
    onClick: (event: Event): void => {
      event.preventDefault();
      set(wanted);
    },
  });
  return (
    <span class="count">
      <button aria-label={text('fewer', { name })} disabled={value <= 1} {...step(value - 1)}>
        −
      </button>
      <input
        type="text"
        name="quantity"
        form={form}
        inputMode="numeric"
        aria-label={text('quantity', { name })}
        value={value}
        onChange={({ currentTarget }) => {
          set(Number(currentTarget.value));
          currentTarget.value = String(value);
        }}
      />
      <button aria-label={text('more', { name })} disabled={value >= most} {...step(value + 1)}>
        +
      </button>
    </span>
  );
};
