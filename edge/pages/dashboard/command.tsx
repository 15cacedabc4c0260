// The command search: goes to a screen, an order, a product or a customer by a few typed letters.
import { useEffect, useId, useState } from 'preact/hooks';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import type { DashboardApi } from '#proto/client/dashboard.ts';
import { at, go } from './address.ts';
import type { Area } from './screen.ts';
import { isAllowed, useDashboard } from './session.ts';

interface FoundEntry {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly to: string;
}

const TYPING_MS = 200;
const FOUND_MAX = 5;

interface Finder {
  readonly scope: string;
  readonly matches: RegExp;
  readonly find: (api: DashboardApi, text: string) => Promise<readonly FoundEntry[]>;
}

const FINDERS: readonly Finder[] = [
  {
    scope: 'orders:read',
    matches: /../,
    find: async (api, text) => {
      const { orders } = await api.orders.list({ search: text.replace(/^#/, ''), limit: FOUND_MAX });
      return orders.map(({ id, order_number, email }) => ({
        id,
        kind: 'Order',
        name: `${order_number} ${email ?? ''}`,
        to: at(`orders/${id}`),
      }));
    },
  },
  {
    scope: 'customers:read',
    matches: /^[^\s@]+@[^\s@.]+\.[^\s@]+$/,
    find: async (api, text) => {
      const { customers } = await api.customers.list({ email: text, limit: FOUND_MAX });
      return customers.map(({ id, email }) => ({
        id,
        kind: 'Customer',
        name: email ?? id,
        to: at(`customers/${id}`),
      }));
    },
  },
  {
    scope: 'catalog:read',
    matches: /../,
    find: async (api, text) => {
      const { products } = await api.search({ query: text, limit: FOUND_MAX, fields: ['id', 'name'] });
      return products.map(({ id, name }) => ({ id, kind: 'Product', name, to: at(`products/${id}`) }));
    },
  },
];

/** Searches once the reader pauses. Refused searches find nothing: their screens say why. */
const useFound = (text: string): readonly FoundEntry[] => {
  const { api, session } = useDashboard();
  const [found, setFound] = useState<readonly FoundEntry[]>([]);
  useEffect(() => {
    let over = false;
    const timer = setTimeout(async () => {
      const finders = FINDERS.filter(
        ({ scope, matches }) => session.store !== null && matches.test(text) && isAllowed(session, scope),
      );
      const parts = await Promise.allSettled(finders.map(({ find }) => find(api, text)));
      if (!over) setFound(parts.flatMap((part) => (part.status === 'fulfilled' ? part.value : [])));
    }, TYPING_MS);
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [text]);
  return found;
};

interface CommandProps {
  readonly areas: readonly Area[];
  readonly close: () => void;
}

export const CommandSearch = ({ areas, close }: CommandProps) => {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const found = useFound(text.trim());
  const typed = text.trim().toLowerCase();
  const screens = areas
    .filter(({ name }) => name.toLowerCase().includes(typed))
    .map(({ path, name }) => ({ id: `area ${path}`, kind: 'Screen', name, to: at(path) }));
  // A record that is found later must not take the place of a screen whose name is being typed.
  const isMeant = ({ name }: FoundEntry): boolean => name.toLowerCase().startsWith(typed);
  const entries: readonly FoundEntry[] = [
    ...screens.filter(isMeant),
    ...(typed === '' ? [] : found),
    ...screens.filter((screen) => !isMeant(screen)),
  ];
  const current = Math.min(chosen, Math.max(0, entries.length - 1));
  const open = (entry: FoundEntry | undefined): void => {
    if (!entry) return;
    close();
    go(entry.to);
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setChosen(Math.min(entries.length - 1, current + 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, current - 1));
    else if (event.key === 'Enter') open(entries[current]);
    if (['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) event.preventDefault();
  };
  return (
    <Dialog title="Go to" close={close}>
      <input
        class="input"
        // biome-ignore lint/a11y/noRedundantRoles: without a list of options it is no combobox of itself
        role="combobox"
        type="search"
        list={undefined}
        aria-label="Screen, order number, product, or a customer’s address"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={entries.length > 0 ? `${list}-${current}` : undefined}
        placeholder="Screen, order number, product, customer’s address"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={keys}
      />
      <div class="command-list" id={list} role="listbox" aria-label="Results">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keys
          <div
            key={`${entry.kind} ${entry.id}`}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => open(entry)}
          >
            <span>{entry.name}</span>
            <small>{entry.kind}</small>
          </div>
        ))}
      </div>
      {entries.length === 0 && <p class="soft">Nothing is found.</p>}
    </Dialog>
  );
};

export const useCommandKey = (open: () => void): void =>
  useEffect(() => {
    const keys = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, []);
