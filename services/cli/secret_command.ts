// `stoa secret rotate …`: rotates a secret while the system serves, tells the progress, and goes back.
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { administer, columns, define, JSON_OPTION, print, STORE_OPTION } from './command.ts';
import { SetupError } from './local/child.ts';
import { homePath } from './local/home.ts';
import { variables } from './local/variable.ts';

interface StepOptions {
  readonly status?: boolean | undefined;
  readonly undo?: boolean | undefined;
  readonly finish?: boolean | undefined;
}

const STEP_OPTIONS = {
  status: { type: 'boolean', description: 'Tells how far the rotation is, and changes nothing' },
  undo: { type: 'boolean', description: 'Returns to the old secret; both work as before' },
  finish: { type: 'boolean', description: 'Ends the secret that is not used any more' },
} as const;

type Step = 'start' | keyof StepOptions;

/** Returns the requested step: `start` without an option. */
const stepOf = (options: StepOptions): Step => {
  const named = (['status', 'undo', 'finish'] as const).filter((step) => options[step]);
  if (named.length > 1)
    throw new SetupError(`Only one of --status, --undo and --finish may be given, not --${named.join(' and --')}.`);
  return named[0] ?? 'start';
};

const hmac = define({
  name: 'hmac',
  description: 'Rotates the HMAC secret of a store; the old one works for 24 hours more',
  args: {
    store: STORE_OPTION,
    test: { type: 'boolean', description: 'Applies to the sandbox instead of production' },
    ...STEP_OPTIONS,
    json: JSON_OPTION,
  },
  run: async ({ store, test, json, ...options }) => {
    const step = stepOf(options);
    const of = { store, environment: test ? 'sandbox' : 'production' } as const;
    const done = await administer((admin) =>
      step === 'status' ? admin.call('GetHmacRotation', of) : admin.call('RotateHmacSecret', { ...of, step }),
    );
    const { both_until } = done;
    const made = 'hmac_secret' in done && done.hmac_secret ? { hmac_secret: done.hmac_secret } : null;
    const sentence = both_until ? `Two HMAC secrets are accepted until ${both_until}.` : 'One HMAC secret is accepted.';
    print(json, { ...made, both_until: both_until ?? null }, () =>
      made ? `${sentence} Save this value; it is not shown again:\n${columns(made)}` : sentence,
    );
  },
});

const masterKey = define({
  name: 'master-key',
  description: 'Rotates the key that seals secrets at rest; hosts read its file again and re-seal',
  args: { ...STEP_OPTIONS, json: JSON_OPTION },
  run: async ({ json, ...options }) => {
    const step = stepOf(options);
    const file = variables.STOA_MASTER_KEY_FILE || join(homePath(), 'master.key');
    const { changeMasterKey } = await import('./master_key.ts');
    const done = await administer((admin) => changeMasterKey(admin, file, step));
    const { keys, secrets, waiting } = done;
    print(json, done, () => {
      const held = keys === 1 ? 'One master key is in use' : `${keys} master keys are in use, the first one seals`;
      return `${held}: ${secrets - waiting} of ${secrets} secrets are sealed under the first.`;
    });
  },
});

const rotate = defineCommand({
  meta: { name: 'rotate', description: 'Rotates a secret while the system serves' },
  subCommands: { 'master-key': masterKey, hmac },
});

export const secret = defineCommand({
  meta: { name: 'secret', description: 'Rotates secrets without a stop, with a way back' },
  subCommands: { rotate },
});
