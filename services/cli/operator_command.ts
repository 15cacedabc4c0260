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
    const { operator_key, operator_test_key } = await administer((admin) =>
      admin.call('CreateOperator', { name, stores: named.filter(Boolean) }),
    );
    const keys = { operator_key, operator_test_key };
    print(json, keys, () => `${name} is made. Keep these; they are not shown again:\n${columns(keys)}`);
  },
});

export const operator = defineCommand({
  meta: { name: 'operator', description: 'Make marketplace operators' },
  subCommands: { create },
});
