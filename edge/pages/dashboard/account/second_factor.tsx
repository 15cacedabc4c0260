// Turns the second factor of an account on and off, and shows the recovery codes once.
import { useState } from 'preact/hooks';
import { ProblemNote, problemAt, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Badge, Note, Sheet } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { BeginTotpResponse } from '#proto/client/dashboard.ts';
import { QrCode } from './qr_code.tsx';

/** Groups of four are typed more easily. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

const TurnOn = ({ done }: { readonly done: (codes: readonly string[]) => void }) => {
  const [secret, setSecret] = useState<BeginTotpResponse | null>(null);
  const [code, setCode] = useState('');
  const write = useWrite();
  const begin = async (): Promise<void> => {
    setSecret((await write.run((api) => api.staff.session.totp.create())) ?? null);
  };
  const confirm = async (): Promise<void> => {
    const answer = await write.run((api) => api.staff.session.totp.confirm({ code: code.replace(/\s/g, '') }));
    if (answer) done(answer.recovery_codes);
  };
  if (!secret)
    return (
      <>
        <p>A code of an authenticator app is asked for beside the password.</p>
        <ProblemNote problem={write.problem} />
        <div class="row">
          <Button busy={write.busy} press={() => void begin()}>
            Set it up
          </Button>
        </div>
      </>
    );
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <p>Scan this with your authenticator app, or type the secret below it. Then type the code that the app shows.</p>
      <QrCode text={secret.otpauth_uri} label="The secret as a QR code" />
      <pre id="totp-secret">{grouped(secret.secret)}</pre>
      <a href={secret.otpauth_uri}>Open it in an authenticator app</a>
      <TextField
        label="Code"
        inputMode="numeric"
        autocomplete="one-time-code"
        value={code}
        change={setCode}
        problem={problemAt(write.problem, 'code')}
      />
      {write.problem?.param !== 'code' && <ProblemNote problem={write.problem} />}
      <div class="row">
        <Button submits tone="primary" busy={write.busy}>
          Turn it on
        </Button>
      </div>
    </form>
  );
};

const TurnOff = ({ done }: { readonly done: () => void }) => {
  const [code, setCode] = useState('');
  const write = useWrite();
  const turnOff = async (): Promise<void> => {
    const answer = await write.run((api) => api.staff.session.totp.delete({ code: code.replace(/\s/g, '') }), {
      done: 'The second factor is off.',
    });
    if (answer) done();
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void turnOff();
      }}
    >
      <TextField
        label="Code, or a recovery code"
        autocomplete="one-time-code"
        value={code}
        change={setCode}
        problem={problemAt(write.problem, 'code')}
      />
      {write.problem?.param !== 'code' && <ProblemNote problem={write.problem} />}
      <div class="row">
        <Button submits tone="danger" busy={write.busy}>
          Turn it off
        </Button>
      </div>
    </form>
  );
};

export const SecondFactor = ({ hasTotp }: { readonly hasTotp: boolean }) => {
  const [isOn, setOn] = useState(hasTotp);
  const [codes, setCodes] = useState<readonly string[]>([]);
  return (
    <Sheet title="Second factor" action={<Badge tone={isOn ? 'go' : 'plain'}>{isOn ? 'on' : 'off'}</Badge>}>
      {codes.length > 0 && (
        <Note tone="warn">
          <b>Write these recovery codes down. They are shown this once.</b>
          <span>Each takes the place of a code once, should you lose your telephone.</span>
          <pre id="recovery-codes">{codes.join('\n')}</pre>
        </Note>
      )}
      {isOn ? (
        <TurnOff
          done={() => {
            setOn(false);
            setCodes([]);
          }}
        />
      ) : (
        <TurnOn
          done={(made) => {
            setOn(true);
            setCodes(made);
          }}
        />
      )}
    </Sheet>
  );
};
