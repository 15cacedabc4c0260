// Checkouts over several merchants, for their operator: what each merchant's order stands at, and in the sandbox the one
// payment of them all.
import { useRef } from 'preact/hooks';
import { amountText, money } from '#edge/pages/amount.ts';
import type { Api } from './api.ts';
import { type LiveAction, momentOf, useLive, useWork } from './live.ts';
import { PAGE, Pile } from './pile.tsx';

interface MerchantOrder {
  readonly store_id: string;
  readonly order_id: string;
  readonly order_number: string;
  readonly total: number;
  readonly amount_due: number;
  readonly order_status: string;
  readonly payment_status: string;
}

interface Group {
  readonly group_id: string;
  readonly status: string;
  readonly email: string;
  readonly currency: string;
  readonly total: number;
  readonly amount_due: number;
  readonly orders: readonly MerchantOrder[];
  readonly created_at: string;
}

const LOOK_MS = 5_000;
const words = (text: string): string => text.replaceAll('_', ' ');

/** `names` is completed by the merchants that are named; one that is not the operator's any more is called by its id. */
const lookAt = async (api: Api, names: Map<string, string>): Promise<readonly Group[]> => {
  const groups: readonly Group[] = (await api.get(`/v1/cart/checkout?limit=${PAGE}`)).body.checkouts;
  const stores = new Set(groups.flatMap(({ orders }) => orders.map(({ store_id }) => store_id)));
  for (const id of stores)
    if (!names.has(id)) {
      const told = await api.get(`/v1/store?store_id=${id}`).catch(() => null);
      names.set(id, told?.body.store.name ?? id);
    }
  return groups;
};

interface GroupProps {
  readonly api: Api;
  readonly work: LiveAction;
  readonly names: ReadonlyMap<string, string>;
  readonly group: Group;
}

/** As a shopper would who approves at once. */
const pay = async (api: Api, { group_id, amount_due, currency }: Group): Promise<string> => {
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
  const { value, problem, again } = useLive(() => lookAt(api, names), LOOK_MS);
  const work = useWork(again);
  return (
    <>
      <p role="status">{problem || work.told}</p>
      <Pile id="groups" title="Checkouts" none="Nothing was checked out over several merchants yet.">
        {value?.map((group) => (
          <GroupEntry key={group.group_id} api={api} work={work} names={names} group={group} />
        ))}
      </Pile>
    </>
  );
};
