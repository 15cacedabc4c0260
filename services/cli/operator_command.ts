// `stoa operator …`: makes marketplace operators.
import { defineCommand } from 'citty';
import { administer, columns, define, JSON_OPTION, print } from './command.ts';

const create = define({
  name: 'create',
  description: 'Make an operator over stores and print its keys, which are shown this once',
  args: {
    name: { type: 'string', description: "The operator's name", required: true },
    stores: { type: 'string', description: 'Ids or codes of its merchants, with commas in between', required: true },
    json: JSON_OPTION,
  },
  run: async ({ name, stores, json }) => {
    const named = stores.split(',').map((text) => text.trim());
    const { operator_id, operator_key, operator_test_key } = await administer((admin) =>
      admin.call('CreateOperator', { name, stores: named.filter(Boolean) }),
    );
    const keys = { operator_id, operator_key, operator_test_key };
    print(json, keys, () => `${name} is made. Keep these; they are not shown again:\n${columns(keys)}`);
  },
});

const MEMBERSHIP = {
  operator: { type: 'string', description: "The operator's id", required: true },
  store: { type: 'string', description: "The store's id or code", required: true },
  json: JSON_OPTION,
} as const;

/** An order in flight is finished as it was begun: the operator's keys only no longer open the store. */
const setMerchant = async (operator: string, store: string, member: boolean, json: boolean | undefined) => {
  const merchants = await administer((admin) => admin.call('SetMerchant', { operator, store, member }));
  print(json, merchants, () => `The operator has ${merchants.stores.length} merchants now.`);
};

const addStore = define({
  name: 'add-store',
  description: "Make a store one of an operator's merchants",
  args: MEMBERSHIP,
  run: ({ operator, store, json }) => setMerchant(operator, store, true, json),
});

const removeStore = define({
  name: 'remove-store',
  description: "Take a store out of an operator's merchants",
  args: MEMBERSHIP,
  run: ({ operator, store, json }) => setMerchant(operator, store, false, json),
});

export const operator = defineCommand({
  meta: { name: 'operator', description: 'Make marketplace operators, and say whose merchants are' },
  subCommands: { create, 'add-store': addStore, 'remove-store': removeStore },
});
