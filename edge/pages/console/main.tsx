// The developers' console: signs in with a secret key, and shows a store's activity and sandbox in tabs.
import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Api, isOwnersKey, openApi } from './api.ts';
import { tabsFor } from './tab.tsx';

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

const SignedIn = ({ api, store, wholesale, leave }: Session & { readonly leave: () => void }) => {
  const tabs = tabsFor(api, wholesale);
  const [at, setAt] = useState<string>(tabs[0]!.name);
  const { Tab } = tabs.find(({ name }) => name === at)!;
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
          {tabs.map(({ name }) => (
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
