// Tab of an operator's checkouts at several merchants: the state of each merchant's order and, in the sandbox, a
// payment for all of them.
import { useRef } from 'preact/hooks';
import { amountText, money } from '#edge/pages/amount.ts';
import type { Api } from './api.ts';
import { ItemList, PAGE_SIZE } from './item_list.tsx';
import { type ConsoleAction, momentOf, useAction, usePolling } from './polling.ts';

interface MerchantOrder {
  readonly store_id: string;
  readonly order_id: string;
  readonly order_number: string;
  readonly total: number;
  readonly amount_due: number;
  readonly order_status: string;
  readonly payment_status: string;
}

interface CheckoutGroup {
  readonly group_id: string;
  readonly status: string;
  readonly email: string;
  readonly currency: string;
  readonly total: number;
  readonly amount_due: number;
  readonly orders: readonly MerchantOrder[];
  readonly created_at: string;
}

const POLL_MS = 5_000;
const words = (text: string): string => text.replaceAll('_', ' ');

/** Loads the checkouts and adds missing store names to `names`; a store that left the operator is shown by its id. */
const loadGroups = async (api: Api, names: Map<string, string>): Promise<readonly CheckoutGroup[]> => {
  const groups: readonly CheckoutGroup[] = (await api.get(`/v1/cart/checkout?limit=${PAGE_SIZE}`)).body.checkouts;
  const stores = new Set(groups.flatMap(({ orders }) => orders.map(({ store_id }) => store_id)));
  for (const id of stores)
    if (!names.has(id)) {
      const message = await api.get(`/v1/store?store_id=${id}`).catch(() => null);
      names.set(id, message?.body.store.name ?? id);
    }
  return groups;
};

interface GroupProps {
  readonly api: Api;
  readonly work: ConsoleAction;
  readonly names: ReadonlyMap<string, string>;
  readonly group: CheckoutGroup;
}

const pay = async (api: Api, { group_id, amount_due, currency }: CheckoutGroup): Promise<string> => {
  const { reference } = (await api.post(`/v1/cart/checkout/${group_id}/pay`, { provider: 'card_checkout' })).body;
  await api.post(`/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
  return `${money(amount_due, currency)} is paid by one payment.`;
};

const GroupEntry = ({ api, work, names, group }: GroupProps) => (
  <details class="group">
    <summary>
      <b>{money(group.total, group.currency)}</b> {group.orders.length}{' '}
      {group.orders.length === 1 ? 'merchant' : 'merchants'} <time>{momentOf(group.created_at)}</time>
      <span class={`sign ${group.status === 'paid' ? 'go' : 'warn'}`}>{group.status}</span>
    </summary>
    <p>
      {group.email} <code>{group.group_id}</code>
    </p>
    <div class="wide agreed">
      <table>
        <thead>
          <tr>
            <th>Merchant</th>
            <th>Order</th>
            <th class="number">{group.currency}</th>
            <th class="number">Due</th>
          </tr>
        </thead>
        <tbody>
          {group.orders.map(({ store_id, order_id, order_number, total, amount_due, ...order }) => (
            <tr key={order_id}>
              <td>
                {names.get(store_id)}
                <br />
                <small>
                  {words(order.order_status)}, {words(order.payment_status)}
                </small>
              </td>
              <td>{order_number}</td>
              <td class="number">{amountText(total, group.currency)}</td>
              <td class="number">{amountText(amount_due, group.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    {api.isTest && group.amount_due > 0 && (
      <p class="buttons">
        <button type="button" disabled={work.busy} onClick={() => void work.run(() => pay(api, group))}>
          Pay {money(group.amount_due, group.currency)}, simulated
        </button>
      </p>
    )}
  </details>
);

export const Checkouts = ({ api }: { readonly api: Api }) => {
  const { current: names } = useRef(new Map<string, string>());
  const { value, problem, refresh } = usePolling(() => loadGroups(api, names), POLL_MS);
  const work = useAction(refresh);
  return (
    <>
      <p role="status">{problem || work.message}</p>
      <ItemList id="groups" title="Checkouts" none="No checkout over several merchants was placed yet.">
        {value?.map((group) => (
          <GroupEntry key={group.group_id} api={api} work={work} names={names} group={group} />
        ))}
      </ItemList>
    </>
  );
};
