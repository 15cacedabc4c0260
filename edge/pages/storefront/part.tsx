// What several screens share: amounts, pictures, stars, and how a screen waits for its answer.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { StoaError } from '#proto/client/storefront.ts';

export const money = (amount: number | null | undefined, currency: string): string =>
  amount === null || amount === undefined
    ? 'Not for sale'
    : new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);

export const sentenceOf = (problem: unknown): string =>
  problem instanceof StoaError ? problem.message : 'The shop cannot be reached. Try again in a moment.';

interface Waiting<T> {
  readonly value: T | null;
  readonly problem: string;
}

/** What `ask` answers, asked anew when one of `about` changes; an answer that comes too late is passed over. */
export const useAnswer = <T,>(ask: () => Promise<T>, about: readonly unknown[]): Waiting<T> => {
  const [state, setState] = useState<Waiting<T>>({ value: null, problem: '' });
  useEffect(() => {
    let current = true;
    ask().then(
      (value) => current && setState({ value, problem: '' }),
      (problem) => current && setState(({ value }) => ({ value, problem: sentenceOf(problem) })),
    );
    return () => {
      current = false;
    };
  }, about);
  return state;
};

export const Waits = ({ problem }: { readonly problem: string }) =>
  problem ? <p role="alert">{problem}</p> : <p role="status">One moment …</p>;

export const Picture = ({ url, name }: { readonly url: string | null; readonly name: string }) =>
  url === null ? (
    <div class="picture none" aria-hidden="true" />
  ) : (
    <img class="picture" src={url} alt={name} loading="lazy" />
  );

const STARS = 5;

export const Stars = ({ rating, count }: { readonly rating: number | null; readonly count: number }) =>
  rating === null ? null : (
    <span class="stars" role="img" aria-label={`${rating.toFixed(1)} of ${STARS} stars, ${count} reviews`}>
      {'★'.repeat(Math.round(rating)).padEnd(STARS, '☆')} <small>({count})</small>
    </span>
  );

interface FieldProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

// biome-ignore-start lint/a11y/noLabelWithoutControl: its control is what it is given
export const Field = ({ label, children }: FieldProps) => (
  <label class="field">
    <span>{label}</span>
    {children}
  </label>
);
// biome-ignore-end lint/a11y/noLabelWithoutControl: the same
