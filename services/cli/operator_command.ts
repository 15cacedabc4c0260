// `stoa operator …`: creates marketplace operators, and adds and removes their merchants.
import { defineCommand } from 'citty';
import { administer, columns, define, JSON_OPTION, print } from './command.ts';

const create = define({
  name: 'create',
  description: 'Creates an operator over stores and prints its keys, which are shown once',
  args: {
    name: { type: 'string', description: "The operator's name", required: true },
    stores: { type: 'string', description: 'Ids or codes of its merchants, separated by commas', required: true },
    json: JSON_OPTION,
  },
  run: async ({ name, stores, json }) => {
    const named = stores.split(',').map((text) => text.trim());
    const { operator_id, operator_key, operator_test_key } = await administer((admin) =>
      admin.call('CreateOperator', { name, stores: named.filter(Boolean) }),
    );
    const keys = { operator_id, operator_key, operator_test_key };
    print(json, keys, () => `${name} is created. Save these keys; they are not shown again:\n${columns(keys)}`);
  },
});

const MEMBERSHIP = {
  operator: { type: 'string', description: "The operator's id", required: true },
  store: { type: 'string', description: "The store's id or code", required: true },
  json: JSON_OPTION,
} as const;

/** After a removal the operator's keys cannot use the store any longer; its orders in progress are completed. */
const setMerchant = async (operator: string, store: string, member: boolean, json: boolean | undefined) => {
  const merchants = await administer((admin) => admin.call('SetMerchant', { operator, store, member }));
  print(json, merchants, () => `The operator now has ${merchants.stores.length} merchants.`);
};

const addStore = define({
  name: 'add-store',
  description: "Adds a store to an operator's merchants",
  args: MEMBERSHIP,
  run: ({ operator, store, json }) => setMerchant(operator, store, true, json),
});

const removeStore = define({
  name: 'remove-store',
  description: "Removes a store from an operator's merchants",
  args: MEMBERSHIP,
  run: ({ operator, store, json }) => setMerchant(operator, store, false, json),
});

export const operator = defineCommand({
  meta: { name: 'operator', description: 'Creates marketplace operators and changes their merchants' },
  subCommands: { create, 'add-store': addStore, 'remove-store': removeStore },
});
