// Tab of items that need a merchant's decision: reviews, returns, disputes and conversations. In the sandbox the
// developer decides in the merchant's place.
import { useState } from 'preact/hooks';
import { money } from '#edge/pages/amount.ts';
import type { Api } from './api.ts';
import { type Thread, ThreadEntry } from './conversation.tsx';
import { AmountField } from './field.tsx';
import { ActionButton, type EntryProps, ItemList, PAGE_SIZE } from './item_list.tsx';
import { momentOf, useAction, usePolling } from './polling.ts';

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

interface WaitingItems {
  readonly reviews: readonly Review[];
  readonly returns: readonly Return[];
  readonly disputes: readonly Dispute[];
  readonly threads: readonly Thread[];
}

const POLL_MS = 5_000;

const words = (text: string): string => text.replaceAll('_', ' ');

const loadWaiting = async (api: Api): Promise<WaitingItems> => {
  const list = async (path: string, name: string) => (await api.get(`${path}&limit=${PAGE_SIZE}`)).body[name];
  const [reviews, threads, returns, disputes] = await Promise.all([
    list('/v1/reviews?status=pending', 'reviews'),
    list('/v1/messaging/threads?unread=true', 'threads'),
    Promise.all(['requested', 'approved', 'received'].map((status) => list(`/v1/returns?status=${status}`, 'data'))),
    Promise.all(['open', 'under_review'].map((status) => list(`/v1/disputes?status=${status}`, 'data'))),
  ]);
  return { reviews, threads, returns: returns.flat(), disputes: disputes.flat() };
};

const ReviewEntry = ({ api, work, item }: EntryProps<Review>) => {
  const path = `/v1/reviews/${item.id}`;
  return (
    <details class="review">
      <summary>
        <b>{item.rating} of 5</b> {item.title} <time>{momentOf(item.created_at)}</time>
      </summary>
      <p>{item.body}</p>
      <p class="soft">{item.customer_name}</p>
      <p class="buttons">
        <ActionButton work={work} act={() => api.patch(path, { status: 'approved' })} message="The review is approved.">
          Approve
        </ActionButton>
        <ActionButton
          work={work}
          act={() => api.patch(path, { status: 'rejected', rejection_reason: 'Rejected in the console' })}
          message="The review is rejected."
        >
          Reject
        </ActionButton>
      </p>
    </details>
  );
};

const RETURN_STEPS: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  requested: [
    ['Approve', { status: 'approved' }],
    ['Reject', { status: 'rejected' }],
  ],
  approved: [
    ['Received, back into stock', { status: 'received', restock: true }],
    ['Received', { status: 'received' }],
  ],
  received: [['Refund the price of the items', { status: 'refunded' }]],
};

const Offer = ({ api, work, item }: EntryProps<Return>) => {
  const [amount, setAmount] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(async () => {
          await api.patch(`/v1/returns/${item.id}`, { credit_offer: { amount: Number(amount) } });
          setAmount('');
          return `Store credit of ${money(Number(amount), item.currency)} is offered.`;
        });
      }}
    >
      <AmountField name="credit" label={`Store credit in ${item.currency}`} value={amount} set={setAmount} />
      <button type="submit" disabled={work.busy || !(Number(amount) > 0)}>
        Offer it instead
      </button>
    </form>
  );
};

const ReturnEntry = ({ api, work, item }: EntryProps<Return>) => (
  <details class="return">
    <summary>
      <b>{words(item.reason_code)}</b> <time>{momentOf(item.created_at)}</time>
      <span class="sign warn">{item.status}</span>
    </summary>
    {item.reason_detail && <p>{item.reason_detail}</p>}
    <p>
      Asks for: {words(item.resolution)}. Order <code>{item.order_id}</code>
    </p>
    {item.credit_offer?.status === 'pending' && (
      <p>Store credit of {money(item.credit_offer.amount, item.currency)} is offered.</p>
    )}
    <p class="buttons">
      {(RETURN_STEPS[item.status] ?? []).map(([label, change]) => (
        <ActionButton
          key={label}
          work={work}
          act={() => api.patch(`/v1/returns/${item.id}`, change)}
          message="The return is decided."
        >
          {label}
        </ActionButton>
      ))}
    </p>
    <Offer api={api} work={work} item={item} />
  </details>
);

const DISPUTE_STEPS: Readonly<Record<string, readonly (readonly [string, object])[]>> = {
  open: [['Take under review', { status: 'under_review' }]],
  under_review: [
    ['Resolve by a replacement', { status: 'resolved', resolution: 'replacement' }],
    ['Resolve without compensation', { status: 'resolved', resolution: 'none' }],
    ['Reject', { status: 'rejected' }],
  ],
};

const DisputeEntry = ({ api, work, item }: EntryProps<Dispute>) => {
  const [amount, setAmount] = useState('');
  const path = `/v1/disputes/${item.id}`;
  return (
    <details class="dispute">
      <summary>
        <b>{words(item.reason_code)}</b> <time>{momentOf(item.created_at)}</time>
        <span class="sign warn">{words(item.status)}</span>
      </summary>
      <p>{item.description}</p>
      <p>
        Order <code>{item.order_id}</code>
      </p>
      <p class="buttons">
        {(DISPUTE_STEPS[item.status] ?? []).map(([label, change]) => (
          <ActionButton key={label} work={work} act={() => api.patch(path, change)} message="The dispute is updated.">
            {label}
          </ActionButton>
        ))}
      </p>
      {item.status === 'under_review' && (
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

export const WaitingTab = ({ api }: { readonly api: Api }) => {
  const { value, problem, refresh } = usePolling(() => loadWaiting(api), POLL_MS);
  const work = useAction(refresh);
  return (
    <>
      <p role="status">{problem || work.message}</p>
      <ItemList id="reviews" title="Reviews to moderate" none="No review needs a decision.">
        {value?.reviews.map((item) => (
          <ReviewEntry key={item.id} api={api} work={work} item={item} />
        ))}
      </ItemList>
      <ItemList id="returns" title="Returns to decide" none="No return needs a decision.">
        {value?.returns.map((item) => (
          <ReturnEntry key={item.id} api={api} work={work} item={item} />
        ))}
      </ItemList>
      <ItemList id="disputes" title="Disputes" none="No dispute needs a decision.">
        {value?.disputes.map((item) => (
          <DisputeEntry key={item.id} api={api} work={work} item={item} />
        ))}
      </ItemList>
      <ItemList id="threads" title="Unread conversations" none="Every conversation is read.">
        {value?.threads.map((item) => (
          <ThreadEntry key={item.id} api={api} work={work} item={item} />
        ))}
      </ItemList>
    </>
  );
};
