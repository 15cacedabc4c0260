// The dashboard: finds out who is signed in, and gives the frame the session and the client of the API.
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { formatsOf } from '#edge/pages/design/format.ts';
import { type DashboardApi, dashboard, StoaError } from '#proto/client/dashboard.ts';
import { addressIn, type DashboardEnvironment, go, readAddress, useAddress } from './address.ts';
import { Door } from './door.tsx';
import { Frame } from './frame.tsx';
import { logExchange } from './request_log.tsx';
import { type DashboardContext, type DashboardSession, DashboardState, timezoneOf } from './session.ts';
import { KeyForm, PasswordForm } from './sign_in.tsx';

/** Empty with a session, whose cookie names the caller. */
const headersOf = (key: string | null): Readonly<Record<string, string>> =>
  key === null ? {} : { authorization: `Bearer ${key}` };

const openApi = (environment: DashboardEnvironment, key: string | null): DashboardApi =>
  dashboard({ environment, observe: logExchange, headers: headersOf(key) });

interface SignedIn {
  /** Null with a session. */
  readonly key: string | null;
  readonly session: DashboardSession;
}

const environmentOfKey = (key: string): DashboardEnvironment =>
  key.startsWith('svc_sk_test_') ? 'sandbox' : 'production';

/** ISO 4217 of none: screens of an operator name the currency of each amount. */
const NO_CURRENCY = 'XXX';

/** Whether a session was begun in this browser: without it, no call asks for one. */
const SIGNED_IN = 'stoa-dashboard-signed-in';

const readSession = async (): Promise<SignedIn | null> => {
  const api = openApi('production', null);
  try {
    const { staff, operator } = await api.staff.session.get();
    const store = operator ? null : (await api.store.get()).store;
    return { key: null, session: { staff, store, operator } };
  } catch (refused) {
    if (refused instanceof StoaError && refused.status === 401) return null;
    throw refused;
  }
};

const readByKey = async (key: string): Promise<SignedIn> => {
  const api = openApi(environmentOfKey(key), key);
  // This call is refused for publishable keys.
  await api.usage.get();
  return { key, session: { staff: null, store: (await api.store.get()).store, operator: null } };
};

interface RenewalProps {
  readonly api: DashboardApi;
  readonly signed: SignedIn;
  readonly done: (signed: SignedIn) => void;
  readonly leave: () => void;
}

const Renewal = ({ api, signed, done, leave }: RenewalProps) => (
  <Dialog title="Sign in again" close={() => {}}>
    <p>Your session has ended. Your input is still here.</p>
    {signed.key === null ? (
      <PasswordForm
        api={api}
        email={signed.session.staff?.email ?? ''}
        entered={async () => {
          const next = await readSession();
          if (next) done(next);
        }}
      />
    ) : (
      <KeyForm enter={async (key) => done(await readByKey(key))} />
    )}
    <div class="buttons">
      <Button press={leave}>Leave and lose the input</Button>
    </div>
  </Dialog>
);

interface OpenedProps {
  readonly signed: SignedIn;
  readonly change: (signed: SignedIn | null) => void;
}

const Opened = ({ signed, change }: OpenedProps) => {
  const { environment } = useAddress();
  const [waiting, setWaiting] = useState(false);
  const renewal = useRef<PromiseWithResolvers<void> | null>(null);
  const { key, session } = signed;
  const api = useMemo(() => openApi(environment, key), [environment, key]);
  // A key opens its own environment alone.
  const sharedApi = useMemo(() => (key === null ? openApi('production', null) : api), [api]);
  const formats = useMemo(
    () => formatsOf(session.store ?? { currency: NO_CURRENCY, country: null, timezone: timezoneOf(session) }),
    [session],
  );
  const context: DashboardContext = {
    environment,
    api,
    sharedApi,
    headers: { ...headersOf(key), 'x-stoa-dashboard': environment },
    session,
    formats,
    renew: () => {
      renewal.current ??= Promise.withResolvers<void>();
      setWaiting(true);
      return renewal.current.promise;
    },
    refreshStore: async () => change({ key, session: { ...session, store: (await api.store.get()).store } }),
    signOut: async () => {
      // Signing out of a session that has ended is no failure.
      if (key === null) await api.staff.session.end().catch(() => undefined);
      change(null);
    },
  };
  const renewed = (next: SignedIn): void => {
    change(next);
    setWaiting(false);
    renewal.current?.resolve();
    renewal.current = null;
  };
  return (
    <DashboardState.Provider value={context}>
      <Frame />
      {waiting && <Renewal api={api} signed={signed} done={renewed} leave={() => change(null)} />}
    </DashboardState.Provider>
  );
};

const WRONG_KEY: Readonly<Record<DashboardEnvironment, string>> = {
  production: 'The key that you used opens the sandbox. Sign in to production.',
  sandbox: 'The key that you used opens production. Sign in to the sandbox.',
};

const Dashboard = () => {
  const [signed, setSigned] = useState<SignedIn | null>(null);
  const [opening, setOpening] = useState(localStorage.getItem(SIGNED_IN) !== null);
  const { environment } = useAddress(true);
  const change = (next: SignedIn | null): void => {
    if (next !== null && next.key === null) localStorage.setItem(SIGNED_IN, 'yes');
    else localStorage.removeItem(SIGNED_IN);
    setSigned(next);
  };
  useEffect(() => {
    if (!opening) return;
    readSession()
      .then(change)
      .catch(() => undefined)
      .finally(() => setOpening(false));
  }, []);
  if (opening) return null;
  const isOther = signed !== null && signed.key !== null && environmentOfKey(signed.key) !== environment;
  if (signed !== null && !isOther) return <Opened signed={signed} change={change} />;
  const entered = async (): Promise<void> => {
    change(await readSession());
    // The token of a link works once, and belongs in no history.
    if (new URLSearchParams(location.search).has('token')) go(addressIn('production', ''), { replace: true });
  };
  const enterByKey = async (key: string): Promise<void> => {
    const next = await readByKey(key);
    const { environment: shown, path, query } = readAddress(location.pathname, location.search);
    const own = environmentOfKey(key);
    if (shown !== own) go(addressIn(own, path.join('/'), Object.fromEntries(query)), { replace: true });
    change(next);
  };
  return (
    <Door
      api={openApi(environment, null)}
      entered={entered}
      enterByKey={enterByKey}
      note={isOther ? WRONG_KEY[environment] : ''}
    />
  );
};

const root = document.getElementById('dashboard');
if (root) render(<Dashboard />, root);
