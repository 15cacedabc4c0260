// `stoa keys …`: revokes and rotates keys and secrets.
import { defineCommand } from 'citty';
import type { RotateKeysRequest } from '#proto/gen/store_admin.ts';
import { administer, columns, define, JSON_OPTION, print, STORE_OPTION } from './command.ts';
import { SetupError } from './local/child.ts';

const TEST_OPTION = { type: 'boolean', description: 'Applies to the sandbox instead of production' } as const;
type Kind = NonNullable<RotateKeysRequest['kind']>;
const KINDS: Kind[] = ['secret', 'publishable', 'hmac'];

const environment = (test: boolean | undefined): 'production' | 'sandbox' => (test ? 'sandbox' : 'production');

const nameOf = (kind: Kind, test: boolean | undefined): string => {
  const [first, last] = kind === 'hmac' ? ['hmac', 'secret'] : [kind, 'key'];
  return [first, ...(test ? ['test'] : []), last].join('_');
};

const rotate = define({
  name: 'rotate',
  description: 'Replaces a key or the HMAC secret; the old one ends at once',
  args: {
    store: STORE_OPTION,
    kind: { type: 'enum', options: KINDS, description: `One of ${KINDS.join(', ')}`, default: 'secret' },
    test: TEST_OPTION,
    json: JSON_OPTION,
  },
  run: async ({ store, kind, test, json }) => {
    const { value } = await administer((admin) =>
      admin.call('RotateKeys', { store, kind, environment: environment(test) }),
    );
    const made = { [nameOf(kind, test)]: value };
    print(json, made, () => `The old one has ended. Save this value; it is not shown again:\n${columns(made)}`);
  },
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const revoke = define({
  name: 'revoke',
  description: 'Revokes one key',
  args: {
    which: { type: 'positional', description: "The key's text or id", valueHint: 'key', required: false },
    key: { type: 'string', description: 'The key’s text or id, as an option' },
    json: JSON_OPTION,
  },
  run: async ({ which, key = which, json }) => {
    if (!key) throw new SetupError('The key is missing. Name its text or id: stoa keys revoke KEY');
    const named = UUID.test(key) ? { key_id: key.toLowerCase() } : { key };
    const ended = await administer((admin) => admin.call('RevokeKey', named));
    print(json, ended, () => `Key ${ended.key_id} ${ended.revoked ? 'has ended' : 'had ended before'}.`);
  },
});

const externalAuth = define({
  name: 'external-auth',
  description: 'Creates the secret that signs x-external-auth tokens; the old one ends at once',
  args: { store: STORE_OPTION, test: TEST_OPTION, json: JSON_OPTION },
  run: async ({ store, test, json }) => {
    const { external_auth_secret } = await administer((admin) =>
      admin.call('CreateExternalAuthSecret', { store, environment: environment(test) }),
    );
    const made = { external_auth_secret };
    print(json, made, () => `Save this value; it is not shown again:\n${columns(made)}`);
  },
});

export const keys = defineCommand({
  meta: { name: 'keys', description: 'Revokes and rotates keys and secrets' },
  subCommands: { rotate, revoke, 'external-auth': externalAuth },
});
