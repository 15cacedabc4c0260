// The dashboard: signs in, and gives the frame its session and its client of the API.
import { render } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { formatsOf } from '#edge/pages/design/format.ts';
import { type DashboardApi, dashboard, StoaError } from '#proto/client/dashboard.ts';
import { addressIn, type DashboardEnvironment, go, readAddress, useAddress } from './address.ts';
import { Frame } from './frame.tsx';
import { logExchange } from './request_log.tsx';
import { type DashboardContext, type DashboardSession, DashboardState } from './session.ts';
import { environmentOfKey, SignInForm } from './sign_in.tsx';

const keyHeaders = (key: string) => ({ authorization: `Bearer ${key}` });

const openApi = (environment: DashboardEnvironment, key: string): DashboardApi =>
  dashboard({ environment, observe: logExchange, headers: keyHeaders(key) });

interface SignedIn {
  readonly key: string;
  readonly session: DashboardSession;
}

const readSession = async (key: string): Promise<SignedIn> => {
  const api = openApi(environmentOfKey(key), key);
  // This call is refused for publishable keys.
  await api.usage.get();
  return { key, session: { staff: null, store: (await api.store.get()).store } };
};

const enterBy =
  (done: (signed: SignedIn) => void) =>
  async (key: string): Promise<string> => {
    try {
      done(await readSession(key));
      return '';
    } catch (refused) {
      if (!(refused instanceof StoaError)) throw refused;
      return refused.message;
    }
  };

const Door = ({ enter }: { readonly enter: (signed: SignedIn) => void }) => {
  useEffect(() => {
    document.title = 'Sign in · Dashboard';
  }, []);
  return (
    <main class="door">
      <h1>Dashboard</h1>
      <Sheet>
        <SignInForm enter={enterBy(enter)} />
      </Sheet>
    </main>
  );
};

const Opened = ({
  signed,
  change,
}: {
  readonly signed: SignedIn;
  readonly change: (signed: SignedIn | null) => void;
}) => {
  const { environment } = useAddress();
  const [waiting, setWaiting] = useState(false);
  const renewal = useRef<PromiseWithResolvers<void> | null>(null);
  const { key, session } = signed;
  const api = useMemo(() => openApi(environment, key), [environment, key]);
  const formats = useMemo(() => formatsOf(session.store), [session.store]);
  const context: DashboardContext = {
    environment,
    api,
    headers: { ...keyHeaders(key), 'x-stoa-dashboard': environment },
    session,
    formats,
    renew: () => {
      renewal.current ??= Promise.withResolvers<void>();
      setWaiting(true);
      return renewal.current.promise;
    },
    refreshStore: async () => change({ key, session: { ...session, store: (await api.store.get()).store } }),
    signOut: async () => change(null),
  };
  return (
    <DashboardState.Provider value={context}>
      <Frame />
      {waiting && (
        <Dialog title="Sign in again" close={() => {}}>
          <p>Your session has ended. Your input is still here.</p>
          <SignInForm
            enter={enterBy((next) => {
              change(next);
              setWaiting(false);
              renewal.current?.resolve();
              renewal.current = null;
            })}
          />
        </Dialog>
      )}
    </DashboardState.Provider>
  );
};

const Dashboard = () => {
  const [signed, setSigned] = useState<SignedIn | null>(null);
  const enter = (next: SignedIn): void => {
    const { environment, path, query } = readAddress(location.pathname, location.search);
    const own = environmentOfKey(next.key);
    if (environment !== own) go(addressIn(own, path.join('/'), Object.fromEntries(query)), { replace: true });
    setSigned(next);
  };
  return signed === null ? <Door enter={enter} /> : <Opened signed={signed} change={setSigned} />;
};

const root = document.getElementById('dashboard');
if (root) render(<Dashboard />, root);
