// `stoa client …`: makes apps that may ask stores for access.
import { defineCommand } from 'citty';
import { administer, columns, define, JSON_OPTION, print } from './command.ts';

const create = define({
  name: 'create',
  description: 'Make a confidential client and print its id and secret; the secret is shown this once',
  args: {
    name: { type: 'string', description: "The app's name, as merchants read it", required: true },
    'redirect-uri': {
      type: 'string',
      description: 'Where merchants come back to; several with spaces in between',
      required: true,
    },
    json: JSON_OPTION,
  },
  run: async ({ name, 'redirect-uri': redirectUris, json }) => {
    const redirect_uris = redirectUris.split(/\s+/).filter(Boolean);
    const client = await administer((admin) => admin.createClient({ name, redirect_uris }));
    print(json, client, () => `${name} is made. Keep these; the secret is not shown again:\n${columns({ ...client })}`);
  },
});

export const client = defineCommand({
  meta: { name: 'client', description: 'Make apps that may ask stores for access' },
  subCommands: { create },
});
