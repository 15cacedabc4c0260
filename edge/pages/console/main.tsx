// The console: who has a secret key sees what a store does, and moves its sandbox.
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Api, isSecretKey, openApi } from './api.ts';
import { Endpoints } from './endpoint.tsx';
import { Events } from './event.tsx';
import { Orders } from './order.tsx';
import { Sandbox } from './sandbox.tsx';
import { Traffic } from './traffic.tsx';
import { UsageView } from './usage.tsx';
import { WaitingRoom } from './waiting.tsx';
import { WholesaleRoom } from './wholesale/room.tsx';

const ROOMS = [
  ['Traffic', Traffic],
  ['Events', Events],
  ['Endpoints', Endpoints],
  ['Orders', Orders],
  ['Waiting', WaitingRoom],
  ['Wholesale', WholesaleRoom],
  ['Sandbox', Sandbox],
  ['Usage', UsageView],
] as const;
/** What moves a store's goods and money by hand: in its sandbox alone. */
const SANDBOX_ROOMS = ['Orders', 'Waiting', 'Wholesale', 'Sandbox'];

interface Entrance {
  readonly api: Api;
  /** The store's name. */
  readonly store: string;
  /** Whether it sells to businesses. */
  readonly wholesale: boolean;
}

const Door = ({ enter }: { readonly enter: (entrance: Entrance) => void }) => {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState('');
  const knock = async (): Promise<void> => {
    if (!isSecretKey(key)) return setProblem('A secret key begins with svc_sk_live_ or svc_sk_test_.');
    const api = openApi(key);
    try {
      // A secret key's alone: a publishable one is refused here.
      await api.get('/v1/usage');
      const { body } = await api.get('/v1/store');
      enter({ api, store: body.store.name, wholesale: body.store.wholesale_enabled });
    } catch (refused) {
      setProblem((refused as Error).message);
    }
  };
  return (
    <form
      class="door"
      onSubmit={(event) => {
        event.preventDefault();
        void knock();
      }}
    >
      <h1>Console</h1>
      <label>
        Secret key
        <input
          id="key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value.trim())}
        />
      </label>
      <button type="submit">Sign in</button>
      <p role="alert">{problem}</p>
      <p class="soft">The key stays in this page’s memory: it is forgotten when the page is closed or loaded again.</p>
    </form>
  );
};

const House = ({ api, store, wholesale, leave }: Entrance & { readonly leave: () => void }) => {
  const rooms = ROOMS.filter(
    ([name]) => (api.isTest || !SANDBOX_ROOMS.includes(name)) && (wholesale || name !== 'Wholesale'),
  );
  const [at, setAt] = useState<string>('Traffic');
  const Room = rooms.find(([name]) => name === at)?.[1] ?? Traffic;
  return (
    <>
      <header>
        <h1 id="store">{store}</h1>
        <span class={`sign ${api.isTest ? 'warn' : 'go'}`}>{api.isTest ? 'sandbox' : 'production'}</span>
        <button type="button" class="leave" onClick={leave}>
          Sign out
        </button>
        <nav>
          {rooms.map(([name]) => (
            <button
              key={name}
              type="button"
              aria-current={name === at ? 'page' : undefined}
              onClick={() => setAt(name)}
            >
              {name}
            </button>
          ))}
        </nav>
      </header>
      <main>
        <Room key={at} api={api} />
      </main>
    </>
  );
};

const Console = () => {
  const [entrance, setEntrance] = useState<Entrance | null>(null);
  useEffect(() => {
    document.title = entrance === null ? 'Console' : `${entrance.store} – Console`;
  }, [entrance]);
  return entrance === null ? <Door enter={setEntrance} /> : <House {...entrance} leave={() => setEntrance(null)} />;
};

const place = document.getElementById('console');
if (place) render(<Console />, place);
