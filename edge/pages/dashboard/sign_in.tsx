// Signing in, with a secret key of the store's: it stays in the page's memory.
import { useState } from 'preact/hooks';
import { Button } from '#edge/pages/design/button.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { DashboardEnvironment } from './address.ts';

const KEY = /^svc_sk_(live|test)_[A-Za-z0-9_-]{8,200}$/;

export const environmentOfKey = (key: string): DashboardEnvironment =>
  key.startsWith('svc_sk_test_') ? 'sandbox' : 'production';

interface SignInProps {
  /** Answers a sentence when the key is refused. */
  readonly enter: (key: string) => Promise<string>;
}

export const SignInForm = ({ enter }: SignInProps) => {
  const [key, setKey] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const signIn = async (): Promise<void> => {
    if (!KEY.test(key)) return setProblem('A secret key begins with svc_sk_live_ or svc_sk_test_.');
    setBusy(true);
    setProblem(await enter(key));
    setBusy(false);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void signIn();
      }}
    >
      <TextField
        id="key"
        label="Secret key"
        type="password"
        value={key}
        change={(text) => setKey(text.trim())}
        problem={problem || undefined}
        advice="The key stays in this page’s memory. It is gone when you close or reload the page."
      />
      <Button submits tone="primary" busy={busy}>
        Sign in
      </Button>
    </form>
  );
};
