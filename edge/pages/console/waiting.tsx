// What waits for the merchant: reviews to moderate, returns and disputes to decide, conversations to read. A developer
// decides them in the sandbox as a merchant would.
import { useState } from 'preact/hooks';
import { money } from '#edge/pages/amount.ts';
import type { Api } from './api.ts';
import { type Thread, ThreadEntry } from './conversation.tsx';
import { AmountField } from './field.tsx';
import { momentOf, useLive, useWork } from './live.ts';
import { type EntryProps, PAGE, Pile, Step } from './pile.tsx';

interface Review {
  readonly id: string;
  readonly rating: number;
  readonly title: string;
  readonly body: string;
  readonly customer_name: string;
  readonly created_at: string;
}

interface Return {
  readonly id: string;
  readonly order_id: string;
  readonly status: string;
  readonly reason_code: string;
  readonly reason_detail: string | null;
  readonly resolution: string;
  readonly currency: string;
  readonly credit_offer: { readonly status: string; readonly amount: number } | null;
  readonly created_at: string;
}

interface Dispute {
  readonly id: string;
  readonly order_id: string;
  readonly status: string;
  readonly reason_code: string;
  readonly description: string;
  readonly created_at: string;
}

interface Waiting {
  readonly reviews: readonly Review[];
  readonly returns: readonly Return[];
  readonly disputes: readonly Dispute[];
  readonly threads: readonly Thread[];
}

const LOOK_MS = 5_000;

const words = (text: string): string => text.replaceAll('_', ' ');

const lookAt = async (api: Api): Promise<Waiting> => {
  const list = async (path: string, name: string) => (await api.get(`${path}&limit=${PAGE}`)).body[name];
  const [reviews, threads, returns, disputes] = await Promise.all([
    list('/v1/reviews?status=pending', 'reviews'),
    list('/v1/messaging/threads?unread=true', 'threads'),
    Promise.all(['requested', 'approved', 'received'].map((status) => list(`/v1/returns?status=${status}`, 'data'))),
    Promise.all(['open', 'under_review'].map((status) => list(`/v1/disputes?status=${status}`, 'data'))),
  ]);
  return { reviews, threads, returns: returns.flat(), disputes: disputes.flat() };
};

const ReviewEntry = ({ api, work, given }: EntryProps<Review>) => {
  const path = `/v1/reviews/${given.id}`;
  return (
    <details class="review">
      <summary>
        <b>{given.rating} of 5</b> {given.title} <time>{momentOf(given.created_at)}</time>
      </summary>
      <p>{given.body}</p>
      <p class="soft">{given.customer_name}</p>
      <p class="buttons">
        <Step work={work} act={() => api.patch(path, { status: 'approved' })} told="The review is approved.">
          Approve
        </Step>
        <Step
          work={work}
          act={() => api.patch(path, { status: 'rejected', rejection_reason: 'Rejected in the console' })}
          told="The review is rejected."
        >
          Reject
        </Step>
      </p>
    </details>
  );
};

/** What can be decided next of a return, and how the button says it. */
const RETURN_STEPS: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  requested: [
    ['Approve', { status: 'approved' }],
    ['Reject', { status: 'rejected' }],
  ],
  approved: [
    ['Received, back into stock', { status: 'received', restock: true }],
    ['Received', { status: 'received' }],
  ],
  received: [['Refund what the items cost', { status: 'refunded' }]],
};

const Offer = ({ api, work, given }: EntryProps<Return>) => {
  const [amount, setAmount] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(async () => {
          await api.patch(`/v1/returns/${given.id}`, { credit_offer: { amount: Number(amount) } });
          setAmount('');
          return `Store credit of ${money(Number(amount), given.currency)} is offered.`;
        });
      }}
    >
      <AmountField name="credit" label={`Store credit in ${given.currency}`} value={amount} set={setAmount} />
      <button type="submit" disabled={work.busy || !(Number(amount) > 0)}>
        Offer it instead
      </button>
    </form>
  );
};

const ReturnEntry = ({ api, work, given }: EntryProps<Return>) => (
  <details class="return">
    <summary>
      <b>{words(given.reason_code)}</b> <time>{momentOf(given.created_at)}</time>
      <span class="sign warn">{given.status}</span>
    </summary>
    {given.reason_detail && <p>{given.reason_detail}</p>}
    <p>
      Asks for: {words(given.resolution)}. Order <code>{given.order_id}</code>
    </p>
    {given.credit_offer?.status === 'pending' && (
      <p>Store credit of {money(given.credit_offer.amount, given.currency)} is offered.</p>
    )}
    <p class="buttons">
      {(RETURN_STEPS[given.status] ?? []).map(([label, change]) => (
        <Step
          key={label}
          work={work}
          act={() => api.patch(`/v1/returns/${given.id}`, change)}
          told="The return is decided."
        >
          {label}
        </Step>
      ))}
    </p>
    <Offer api={api} work={work} given={given} />
  </details>
);

const DISPUTE_STEPS: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  open: [['Take under review', { status: 'under_review' }]],
  under_review: [
    ['Resolve by a replacement', { status: 'resolved', resolution: 'replacement' }],
    ['Resolve without anything', { status: 'resolved', resolution: 'none' }],
    ['Reject', { status: 'rejected' }],
  ],
};

const DisputeEntry = ({ api, work, given }: EntryProps<Dispute>) => {
  const [amount, setAmount] = useState('');
  const path = `/v1/disputes/${given.id}`;
  return (
    <details class="dispute">
      <summary>
        <b>{words(given.reason_code)}</b> <time>{momentOf(given.created_at)}</time>
        <span class="sign warn">{words(given.status)}</span>
      </summary>
      <p>{given.description}</p>
      <p>
        Order <code>{given.order_id}</code>
      </p>
      <p class="buttons">
        {(DISPUTE_STEPS[given.status] ?? []).map(([label, change]) => (
          <Step key={label} work={work} act={() => api.patch(path, change)} told="The dispute is moved on.">
            {label}
          </Step>
        ))}
      </p>
      {given.status === 'under_review' && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void work.run(async () => {
              await api.patch(path, { status: 'resolved', resolution: 'refund', amount: Number(amount) });
              return `The dispute is resolved by a refund.`;
            });
          }}
        >
          <AmountField name="amount" label="Amount" value={amount} set={setAmount} />
          <button type="submit" disabled={work.busy || !(Number(amount) > 0)}>
            Resolve by a refund
          </button>
        </form>
      )}
    </details>
  );
};

export const WaitingRoom = ({ api }: { readonly api: Api }) => {
  const { value, problem, again } = useLive(() => lookAt(api), LOOK_MS);
  const work = useWork(again);
  return (
    <>
      <p role="status">{problem || work.told}</p>
      <Pile id="reviews" title="Reviews to moderate" none="No review waits.">
        {value?.reviews.map((given) => (
          <ReviewEntry key={given.id} api={api} work={work} given={given} />
        ))}
      </Pile>
      <Pile id="returns" title="Returns to decide" none="No return waits.">
        {value?.returns.map((given) => (
          <ReturnEntry key={given.id} api={api} work={work} given={given} />
        ))}
      </Pile>
      <Pile id="disputes" title="Disputes" none="No dispute waits.">
        {value?.disputes.map((given) => (
          <DisputeEntry key={given.id} api={api} work={work} given={given} />
        ))}
      </Pile>
      <Pile id="threads" title="Unread conversations" none="Everything is read.">
        {value?.threads.map((given) => (
          <ThreadEntry key={given.id} api={api} work={work} given={given} />
        ))}
      </Pile>
    </>
  );
};
