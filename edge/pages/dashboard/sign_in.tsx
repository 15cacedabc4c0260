// Signs in: with a password and a second factor, a mailed link, an invitation, the demo's account, or a secret key.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '#edge/pages/design/button.tsx';
import { Note } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { BeginStaffSessionRequest, DashboardApi } from '#proto/client/dashboard.ts';
import { problemAt, problemOf, type ScreenProblem } from './problem.ts';
import { ProblemNote } from './problem_note.tsx';

export interface SignInProps {
  readonly api: DashboardApi;
  /** Called once the browser has the session's cookie. */
  readonly entered: () => Promise<void>;
}

const useAttempt = () => {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ScreenProblem | null>(null);
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (refused) {
      setProblem(problemOf(refused));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, problem, attempt };
};

const Form = ({ submit, children }: { readonly submit: () => void; readonly children: ComponentChildren }) => (
  <form
    class="stack"
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      submit();
    }}
  >
    {children}
  </form>
);

interface FactorProps {
  readonly problem: ScreenProblem | null;
  readonly code: string;
  readonly change: (code: string) => void;
}

const isCode = (text: string): boolean => /^\d{6}$/.test(text);

/** An authenticator app's code has six digits; every other text is a recovery code. */
const factorOf = (code: string): Pick<BeginStaffSessionRequest, 'totp' | 'recovery_code'> => {
  const text = code.replace(/\s/g, '');
  return text === '' ? {} : isCode(text) ? { totp: text } : { recovery_code: text };
};

const SecondFactor = ({ problem, code, change }: FactorProps) => (
  <TextField
    id="factor"
    label="Code of your authenticator app"
    value={code}
    change={change}
    autocomplete="one-time-code"
    problem={code === '' ? undefined : (problemAt(problem, 'totp') ?? problemAt(problem, 'recovery_code'))}
    advice="Or one of your recovery codes."
  />
);

const needsFactor = (problem: ScreenProblem | null): boolean =>
  problem !== null && (problem.param === 'totp' || problem.param === 'recovery_code');

interface PasswordProps extends SignInProps {
  readonly email?: string;
  /** Code of a store, where an address is on the staff of several. */
  readonly store?: string | undefined;
}

export const PasswordForm = ({ api, entered, email: known = '', store }: PasswordProps) => {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksCode, setAsksCode] = useState(false);
  const [mailed, setMailed] = useState(false);
  const { busy, problem, attempt } = useAttempt();
  useEffect(() => {
    if (needsFactor(problem)) setAsksCode(true);
  }, [problem]);
  const signIn = async (): Promise<void> => {
    const request = { email, password, ...factorOf(code), ...(store === undefined ? {} : { store }) };
    if (await attempt(() => api.staff.session.begin(request))) await entered();
  };
  return (
    <Form submit={() => void signIn()}>
      <TextField
        id="email"
        label="E-mail address"
        type="email"
        autocomplete="username"
        value={email}
        change={setEmail}
        problem={problemAt(problem, 'email')}
      />
      <TextField
        id="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        value={password}
        change={setPassword}
        problem={problemAt(problem, 'password')}
      />
      {asksCode && <SecondFactor problem={problem} code={code} change={setCode} />}
      {problem && !['email', 'password'].includes(problem.param ?? '') && !(needsFactor(problem) && code === '') && (
        <ProblemNote problem={problem} />
      )}
      <Button submits tone="primary" busy={busy}>
        Sign in
      </Button>
      <Button
        tone="quiet"
        press={() => void attempt(() => api.staff.session.link.create({ email })).then((sent) => setMailed(sent))}
      >
        Mail me a link instead
      </Button>
      {mailed && (
        <div role="status">
          <Note>If an account has this address, a link that signs in was mailed to it.</Note>
        </div>
      )}
    </Form>
  );
};

/** A mailed link: signs in at once, or when the second factor is typed. */
export const LinkForm = ({ api, entered, token }: SignInProps & { readonly token: string }) => {
  const [code, setCode] = useState('');
  const { busy, problem, attempt } = useAttempt();
  const signIn = async (): Promise<void> => {
    if (await attempt(() => api.staff.session.begin({ token, ...factorOf(code) }))) await entered();
  };
  useEffect(() => void signIn(), []);
  if (problem === null) return <p role="status">Signing in …</p>;
  if (!needsFactor(problem)) return <ProblemNote problem={problem} />;
  return (
    <Form submit={() => void signIn()}>
      <SecondFactor problem={problem} code={code} change={setCode} />
      <Button submits tone="primary" busy={busy}>
        Sign in
      </Button>
    </Form>
  );
};

export const InvitationForm = ({ api, entered, token }: SignInProps & { readonly token: string }) => {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { busy, problem, attempt } = useAttempt();
  const accept = async (): Promise<void> => {
    const request = { token, password, ...(name.trim() === '' ? {} : { name: name.trim() }) };
    if (await attempt(() => api.staff.invitations.accept(request))) await entered();
  };
  return (
    <Form submit={() => void accept()}>
      <p>You are invited to the staff of a store or a marketplace. Choose a password for your account.</p>
      <TextField
        id="name"
        label="Your name"
        autocomplete="name"
        value={name}
        change={setName}
        problem={problemAt(problem, 'name')}
      />
      <TextField
        id="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        value={password}
        change={setPassword}
        problem={problemAt(problem, 'password')}
        advice="At least ten characters."
      />
      {!['name', 'password'].includes(problem?.param ?? '') && <ProblemNote problem={problem} />}
      <Button submits tone="primary" busy={busy}>
        Join the staff
      </Button>
    </Form>
  );
};

const KEY = /^svc_sk_(live|test)_[A-Za-z0-9_-]{8,200}$/;

/** A store without staff accounts, and the key of an own program, are looked at with a secret key. */
export const KeyForm = ({ enter }: { readonly enter: (key: string) => Promise<void> }) => {
  const [key, setKey] = useState('');
  const [unfit, setUnfit] = useState(false);
  const { busy, problem, attempt } = useAttempt();
  const signIn = (): void => {
    setUnfit(!KEY.test(key));
    if (KEY.test(key)) void attempt(() => enter(key));
  };
  const message = unfit ? 'A secret key begins with svc_sk_live_ or svc_sk_test_.' : problem?.message;
  return (
    <Form submit={signIn}>
      <TextField
        id="key"
        label="Secret key"
        type="password"
        value={key}
        change={(text) => setKey(text.trim())}
        problem={message}
        advice="The key stays in this page’s memory. It is gone when you close or reload the page."
      />
      <Button submits busy={busy}>
        Use the key
      </Button>
    </Form>
  );
};
