// The page before sign-in. The address tells the way: an invitation, a mailed link, or a password.
import { useEffect, useState } from 'preact/hooks';
import { Button } from '#edge/pages/design/button.tsx';
import { Note, Sheet } from '#edge/pages/design/display.tsx';
import type { DashboardApi } from '#proto/client/dashboard.ts';
import { type DashboardAddress, useAddress } from './address.ts';
import { InvitationForm, KeyForm, LinkForm, PasswordForm } from './sign_in.tsx';

interface DemoAccount {
  readonly email: string;
  readonly password: string;
}

/** Accounts of a demo; null elsewhere. */
interface DemoAccounts {
  readonly demo: DemoAccount | null;
  readonly marketplace: DemoAccount | null;
}

const NO_DEMO: DemoAccounts = { demo: null, marketplace: null };

const useDemo = (): DemoAccounts => {
  const [accounts, setAccounts] = useState(NO_DEMO);
  useEffect(() => {
    fetch('/dashboard/file/demo.json')
      .then((response) => response.json())
      .then((read: DemoAccounts) => setAccounts(read))
      // Without it, one signs in like everywhere else.
      .catch(() => setAccounts(NO_DEMO));
  }, []);
  return accounts;
};

interface DoorProps {
  readonly api: DashboardApi;
  readonly entered: () => Promise<void>;
  readonly enterByKey: (key: string) => Promise<void>;
  readonly note: string;
}

const Demo = ({ api, entered }: Pick<DoorProps, 'api' | 'entered'>) => {
  const { demo, marketplace } = useDemo();
  const [busy, setBusy] = useState(false);
  if (!demo) return null;
  const signIn = (account: DemoAccount): void => {
    setBusy(true);
    void api.staff.session
      .begin(account)
      .then(entered)
      .finally(() => setBusy(false));
  };
  return (
    <Sheet>
      <p>This system has a demo store. Look around as its owner.</p>
      <Button tone="primary" busy={busy} press={() => signIn(demo)}>
        Open the demo
      </Button>
      {marketplace && (
        <Button tone="quiet" busy={busy} press={() => signIn(marketplace)}>
          Open the demo’s marketplace
        </Button>
      )}
    </Sheet>
  );
};

const wayOf = ({ path, query }: DashboardAddress): 'invitation' | 'link' | 'password' => {
  const hasToken = query.get('token') !== null;
  if (hasToken && path[0] === 'invitation') return 'invitation';
  return hasToken && path[0] === 'sign-in' ? 'link' : 'password';
};

const TITLES = { invitation: 'Join the staff', link: 'Signing in', password: 'Dashboard' } as const;

export const Door = ({ api, entered, enterByKey, note }: DoorProps) => {
  const address = useAddress();
  const way = wayOf(address);
  const token = address.query.get('token') ?? '';
  useEffect(() => {
    document.title = `${way === 'password' ? 'Sign in' : TITLES[way]} · Dashboard`;
  }, [way]);
  return (
    <main class="door">
      <h1>{TITLES[way]}</h1>
      {note !== '' && <Note tone="warn">{note}</Note>}
      {way === 'password' && <Demo api={api} entered={entered} />}
      <Sheet>
        {way === 'invitation' && <InvitationForm api={api} entered={entered} token={token} />}
        {way === 'link' && <LinkForm api={api} entered={entered} token={token} />}
        {way === 'password' && (
          <PasswordForm api={api} entered={entered} store={address.query.get('store') ?? undefined} />
        )}
      </Sheet>
      {way === 'password' && (
        <details class="sheet">
          <summary>Use a secret key</summary>
          <KeyForm enter={enterByKey} />
        </details>
      )}
    </main>
  );
};
