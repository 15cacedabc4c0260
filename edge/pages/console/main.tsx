// The developers' console: signs in with a secret key, and shows a store's activity and sandbox in tabs.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, isOwnersKey, openApi } from './api.ts';
import { Assistants } from './assistant.tsx';
import { Channels } from './channel.tsx';
import { Checkouts } from './checkout.tsx';
import { Endpoints } from './endpoint.tsx';
import { Events } from './event.tsx';
import { Grants } from './grant.tsx';
import { Orders } from './order.tsx';
import { Sandbox } from './sandbox.tsx';
import { Traffic } from './traffic.tsx';
import { UsageView } from './usage.tsx';
import { WaitingTab } from './waiting.tsx';
import { WholesaleTab } from './wholesale/tab.tsx';

const TABS = [
  ['Traffic', Traffic],
  ['Events', Events],
  ['Webhooks', Endpoints],
  ['Orders', Orders],
  ['Assistants', Assistants],
  ['Waiting', WaitingTab],
  ['Wholesale', WholesaleTab],
  ['Channels', Channels],
  ['Grants', Grants],
  ['Sandbox', Sandbox],
  ['Usage', UsageView],
] as const;
const OPERATOR_TABS = [['Checkouts', Checkouts]] as const;
/** Tabs that change orders, stock or money; shown only for a sandbox. */
const SANDBOX_TABS = ['Orders', 'Waiting', 'Wholesale', 'Sandbox'];

interface Session {
  readonly api: Api;
  readonly store: string;
  readonly wholesale: boolean;
}

const SignIn = ({ enter }: { readonly enter: (session: Session) => void }) => {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState('');
  const signIn = async (): Promise<void> => {
    if (!isOwnersKey(key))
      return setProblem('A secret key begins with svc_sk_live_ or svc_sk_test_, an operator’s with svc_mk_.');
    const api = openApi(key);
    try {
      if (api.isOperator) {
        await api.get('/v1/cart/checkout?limit=1');
        return enter({ api, store: 'Operator', wholesale: false });
      }
      // This call is refused for publishable keys.
      await api.get('/v1/usage');
      const { body } = await api.get('/v1/store');
      enter({ api, store: body.store.name, wholesale: body.store.wholesale_enabled });
    } catch (refused) {
      setProblem((refused as Error).message);
    }
  };
  return (
    <main>
      <form
        class="door"
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
      >
        <h1>Console</h1>
        <label>
          Secret key, or an operator’s
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
        <p class="soft">The key stays in this page’s memory: it is gone when you close or reload the page.</p>
      </form>
    </main>
  );
};

const tabsFor = (api: Api, wholesale: boolean): readonly (readonly [string, typeof Traffic])[] =>
  api.isOperator
    ? OPERATOR_TABS
    : TABS.filter(([name]) => (api.isTest || !SANDBOX_TABS.includes(name)) && (wholesale || name !== 'Wholesale'));

const SignedIn = ({ api, store, wholesale, leave }: Session & { readonly leave: () => void }) => {
  const tabs = tabsFor(api, wholesale);
  const [at, setAt] = useState<string>(tabs[0]![0]);
  const Tab = tabs.find(([name]) => name === at)![1];
  const current = useRef<HTMLButtonElement>(null);
  // Scrolls to the current tab, which may be off-screen on a phone.
  useEffect(() => current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [at]);
  return (
    <>
      <header>
        <h1 id="store">{store}</h1>
        <span class={`sign ${api.isTest ? 'warn' : 'go'}`}>{api.isTest ? 'sandbox' : 'production'}</span>
        <button type="button" class="leave" onClick={leave}>
          Sign out
        </button>
        <nav aria-label="Console">
          {tabs.map(([name]) => (
            <button
              key={name}
              ref={name === at ? current : undefined}
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
        <Tab key={at} api={api} />
      </main>
    </>
  );
};

const Console = () => {
  const [session, setSession] = useState<Session | null>(null);
  useEffect(() => {
    document.title = session === null ? 'Console' : `${session.store} – Console`;
  }, [session]);
  return session === null ? <SignIn enter={setSession} /> : <SignedIn {...session} leave={() => setSession(null)} />;
};

const root = document.getElementById('console');
if (root) render(<Console />, root);
