// Tab of assistants: the store's protocols with their URLs, and the checkouts that assistants started.
import { money } from '#edge/pages/amount.ts';
import type { Api } from './api.ts';
import { ItemList, PAGE_SIZE } from './item_list.tsx';
import { momentOf, useAction, usePolling } from './polling.ts';

interface Agent {
  readonly name: string;
  readonly protocol: string;
}

interface Requirement {
  readonly code: string;
  readonly resolver: string;
}

interface Checkout {
  readonly id: string;
  readonly status: string;
  readonly grand_total: number;
  readonly currency: string;
  readonly email: string | null;
  readonly agent: Agent | null;
  readonly order_id: string | null;
  readonly requirements: readonly Requirement[];
  readonly lines: readonly { readonly id: string; readonly name: string; readonly quantity: number }[];
  readonly expires_at: string;
  readonly created_at: string;
}

interface Store {
  readonly code: string;
  readonly wholesale_enabled: boolean;
  readonly agents: Readonly<Record<string, boolean>>;
  readonly domains: readonly string[];
}

const POLL_MS = 5_000;
const PROTOCOLS = [
  ['mcp', 'MCP', '/mcp'],
  ['ucp', 'UCP', '/.well-known/ucp'],
  ['acp', 'ACP', '/acp'],
] as const;
const TONES: Readonly<Record<string, string>> = { ready: 'go', completed: 'go', cancelled: 'no', expired: 'no' };
const words = (text: string): string => text.replaceAll('_', ' ');

interface SwitchProps {
  readonly api: Api;
  readonly store: Store;
  readonly refresh: () => void;
}

/** The protocols are settings of production; with a sandbox key they are shown but cannot be changed. */
const Protocols = ({ api, store, refresh }: SwitchProps) => {
  const work = useAction(refresh);
  const base = `${location.origin}/s/${store.code}`;
  const turn = async (protocol: string, on: boolean): Promise<string> => {
    await api.patch('/v1/store', { agents: { [protocol]: on } });
    return `${protocol.toUpperCase()} is ${on ? 'on' : 'off'}.`;
  };
  return (
    <section id="protocols" class="sheet">
      <h2>Protocols</h2>
      {store.wholesale_enabled && <p class="soft">A store that sells wholesale cannot use assistant protocols.</p>}
      {PROTOCOLS.map(([protocol, name, path]) => (
        <label key={protocol} class="check">
          <input
            type="checkbox"
            name={protocol}
            checked={store.agents[protocol] === true}
            disabled={api.isTest || store.wholesale_enabled || work.busy}
            onChange={({ currentTarget }) => void work.run(() => turn(protocol, currentTarget.checked))}
          />
          <span>
            {name}{' '}
            <code>
              {base}
              {path}
            </code>
          </span>
        </label>
      ))}
      {store.domains.length > 0 && <p class="soft">Also at the root of {store.domains.join(', ')}.</p>}
      <p role="status">{work.message}</p>
    </section>
  );
};

const CheckoutEntry = ({ checkout }: { readonly checkout: Checkout }) => (
  <details>
    <summary>
      <b>{money(checkout.grand_total, checkout.currency)}</b>{' '}
      {checkout.agent ? `${checkout.agent.name} over ${checkout.agent.protocol.toUpperCase()}` : 'REST'}{' '}
      <time>{momentOf(checkout.created_at)}</time>
      <span class={`sign ${TONES[checkout.status] ?? ''}`}>{checkout.status}</span>
    </summary>
    <p>
      {checkout.email} <code>{checkout.id}</code>
    </p>
    <ul>
      {checkout.lines.map(({ id, name, quantity }) => (
        <li key={id}>
          {quantity} × {name}
        </li>
      ))}
    </ul>
    {checkout.requirements.length > 0 && (
      <p>{checkout.requirements.map(({ code, resolver }) => `${words(code)} (${resolver})`).join(', ')}</p>
    )}
    {checkout.order_id ? (
      <p>
        Placed as order <code>{checkout.order_id}</code>.
      </p>
    ) : (
      <p class="soft">Held until {momentOf(checkout.expires_at)}.</p>
    )}
  </details>
);

export const Assistants = ({ api }: { readonly api: Api }) => {
  const { value, problem, refresh } = usePolling(async () => {
    const [store, checkouts] = await Promise.all([
      api.get('/v1/store'),
      api.get(`/v1/agent/checkout-intents?limit=${PAGE_SIZE}`),
    ]);
    return { store: store.body.store as Store, checkouts: checkouts.body.data as Checkout[] };
  }, POLL_MS);
  return (
    <>
      <p role="status">{problem}</p>
      {value && <Protocols api={api} store={value.store} refresh={refresh} />}
      <ItemList id="checkouts" title="Checkouts" none="No checkout was started yet.">
        {value?.checkouts.map((checkout) => (
          <CheckoutEntry key={checkout.id} checkout={checkout} />
        ))}
      </ItemList>
    </>
  );
};
