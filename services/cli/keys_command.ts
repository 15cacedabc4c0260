// `stoa keys …`: lists, creates, rolls, revokes and rotates keys and secrets.
import { defineCommand } from 'citty';
import type { ApiKey } from '#proto/gen/key.ts';
import type { RotateKeysRequest } from '#proto/gen/store_admin.ts';
import { administer, columns, define, JSON_OPTION, print, STORE_OPTION, wholeNumber } from './command.ts';
import { SetupError } from './local/child.ts';

const TEST_OPTION = { type: 'boolean', description: 'Applies to the sandbox instead of production' } as const;
type Kind = NonNullable<RotateKeysRequest['kind']>;
const KINDS: Kind[] = ['secret', 'publishable', 'hmac'];

const environment = (test: boolean | undefined): 'production' | 'sandbox' => (test ? 'sandbox' : 'production');

const nameOf = (kind: Kind, test: boolean | undefined): string => {
  const [first, last] = kind === 'hmac' ? ['hmac', 'secret'] : [kind, 'key'];
  return [first, ...(test ? ['test'] : []), last].join('_');
};

/** Describes a key in one line: its name, its scopes and its last use. Over gRPC null arrives as a missing value. */
const keyLine = ({
  id,
  name,
  prefix,
  last_four,
  scopes,
  last_used_at,
  last_used_address,
  expires_at,
}: ApiKey): string => {
  const used = last_used_at ? `used ${last_used_at}` : 'no use recorded';
  const from = last_used_address ? ` from ${last_used_address}` : '';
  const end = expires_at ? `, works until ${expires_at}` : '';
  const opens = scopes?.length ? `, only ${scopes.join(' ')}` : '';
  return `  ${id}  ${prefix}…${last_four ?? ''}  ${name}${opens}, ${used}${from}${end}`;
};

const list = define({
  name: 'list',
  description: "Lists a store's keys that work",
  args: { store: STORE_OPTION, json: JSON_OPTION },
  run: async ({ store, json }) => {
    const found = await administer((admin) => admin.call('ListKeys', { store }));
    print(json, found, () => found.keys.map(keyLine).join('\n') || 'No key of the store works.');
  },
});

const printNewKey = (json: boolean | undefined, { id, secret, hmac_secret }: ApiKey, sentence: string): void => {
  const made = { key_id: id, key: secret, ...(hmac_secret && { hmac_secret }) };
  print(json, made, () => `${sentence} Save these values; they are not shown again:\n${columns(made)}`);
};

const KEY_TYPES: ApiKey['type'][] = ['secret', 'publishable'];

const create = define({
  name: 'create',
  description: 'Creates a key and prints it, which is shown once',
  args: {
    store: STORE_OPTION,
    name: { type: 'string', description: "The key's name, for people", required: true },
    type: { type: 'enum', options: KEY_TYPES, description: `One of ${KEY_TYPES.join(', ')}`, default: 'secret' },
    scopes: {
      type: 'string',
      description: 'Restricts a secret key to scopes, separated by commas: orders:read,shipping:write',
    },
    test: TEST_OPTION,
    json: JSON_OPTION,
  },
  run: async ({ store, name, type, scopes, test, json }) => {
    const named = scopes?.split(',').map((scope) => scope.trim());
    const input = { store, name, type, environment: environment(test), ...(named && { scopes: named }) };
    const { key } = await administer((admin) => admin.call('CreateKey', input));
    printNewKey(json, key, `The key ${name} is created.`);
  },
});

const HOURS_DEFAULT = '24';

const roll = define({
  name: 'roll',
  description: 'Replaces one key; the old one works for the overlap',
  args: {
    key: { type: 'positional', description: "The key's id", valueHint: 'id', required: true },
    store: STORE_OPTION,
    'overlap-hours': {
      type: 'string',
      valueHint: 'hours',
      description: 'Hours for which the old key works, 0 to 168',
      default: HOURS_DEFAULT,
    },
    json: JSON_OPTION,
  },
  run: async ({ key: key_id, store, json, ...args }) => {
    const overlap_hours = wholeNumber(args['overlap-hours'], 'overlap-hours') ?? Number(HOURS_DEFAULT);
    const { key } = await administer((admin) => admin.call('RollKey', { store, key_id, overlap_hours }));
    printNewKey(json, key, `The old key works for ${overlap_hours} hours more.`);
  },
});

const rotate = define({
  name: 'rotate',
  description: 'Replaces the full keys of a kind or the HMAC secret; the old ones end at once',
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
    store: { ...STORE_OPTION, required: false, description: "The id or code of the key's store, to be sure" },
    json: JSON_OPTION,
  },
  run: async ({ which, key = which, store, json }) => {
    if (!key) throw new SetupError('The key is missing. Name its text or id: stoa keys revoke KEY');
    const named = UUID.test(key) ? { key_id: key.toLowerCase() } : { key };
    const ended = await administer((admin) => admin.call('RevokeKey', { ...named, ...(store && { store }) }));
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

const subCommands = { list, create, roll, rotate, revoke, 'external-auth': externalAuth };

export const keys = defineCommand({
  meta: { name: 'keys', description: 'Lists, creates, rolls, revokes and rotates keys and secrets' },
  subCommands,
});

export const key = defineCommand({ meta: { name: 'key', description: 'Does what keys does' }, subCommands });
