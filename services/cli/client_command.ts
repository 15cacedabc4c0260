// `stoa client …`: registers apps that ask merchants for access to their stores.
import { defineCommand } from 'citty';
import { administer, columns, define, JSON_OPTION, print } from './command.ts';

const create = define({
  name: 'create',
  description: 'Registers a confidential client and prints its id and secret; the secret is shown once',
  args: {
    name: { type: 'string', description: "The app's name, shown to merchants", required: true },
    'redirect-uri': {
      type: 'string',
      description: 'The address that merchants return to; separate several with spaces',
      required: true,
    },
    json: JSON_OPTION,
  },
  run: async ({ name, 'redirect-uri': redirectUris, json }) => {
    const redirect_uris = redirectUris.split(/\s+/).filter(Boolean);
    const client = await administer((admin) => admin.createClient({ name, redirect_uris }));
    print(
      json,
      client,
      () => `${name} is registered. Save these values; the secret is not shown again:\n${columns({ ...client })}`,
    );
  },
});

export const client = defineCommand({
  meta: { name: 'client', description: 'Registers apps that request access to stores' },
  subCommands: { create },
});
