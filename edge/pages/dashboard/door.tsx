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

/** The edge answers the account of a demo, and null elsewhere. */
const useDemo = (): DemoAccount | null => {
  const [demo, setDemo] = useState<DemoAccount | null>(null);
  useEffect(() => {
    fetch('/dashboard/file/demo.json')
      .then((response) => response.json())
      .then((read: { readonly demo: DemoAccount | null }) => setDemo(read.demo))
      // Without it, one signs in like everywhere else.
      .catch(() => setDemo(null));
  }, []);
  return demo;
};

interface DoorProps {
  readonly api: DashboardApi;
  readonly entered: () => Promise<void>;
  readonly enterByKey: (key: string) => Promise<void>;
  readonly note: string;
}

const Demo = ({ api, entered }: Pick<DoorProps, 'api' | 'entered'>) => {
  const demo = useDemo();
  const [busy, setBusy] = useState(false);
  if (!demo) return null;
  const signIn = (): void => {
    setBusy(true);
    void api.staff.session
      .begin(demo)
      .then(entered)
      .finally(() => setBusy(false));
  };
  return (
    <Sheet>
      <p>This system has a demo store. Look around as its owner.</p>
      <Button tone="primary" busy={busy} press={signIn}>
        Open the demo
      </Button>
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
