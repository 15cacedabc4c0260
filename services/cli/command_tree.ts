// All commands: `stoa start` runs a system, the others call a running one. `stoa test` is in stoa.mjs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { capacity } from './capacity/command.ts';
import { client } from './client_command.ts';
import { define, say } from './command.ts';
import { demo } from './demo_command.ts';
import { key, keys } from './keys_command.ts';
import { listenCommand } from './listen_command.ts';
import { rootPath } from './local/home.ts';
import { ledger, monitoring } from './monitoring/command.ts';
import { operator } from './operator_command.ts';
import { secret } from './secret_command.ts';
import { shop } from './shop_command.ts';
import { staff } from './staff_command.ts';
import { store } from './store_command.ts';
import { triggerCommand } from './trigger/command.ts';

const start = define({
  name: 'start',
  description: 'Starts a system on this machine; Ctrl-C stops it',
  args: {
    verbose: {
      type: 'boolean',
      description: "Prints the logs of all parts instead of writing them into the home's log folder",
    },
  },
  run: async ({ verbose }) => {
    const { start: startSystem } = await import('./start.ts');
    await startSystem({ verbose: verbose === true, say });
    process.exit(0);
  },
});

const { version } = JSON.parse(readFileSync(join(rootPath(), 'package.json'), 'utf8')) as { version: string };

/**
 * Imports commands only when they run, because those that use the database or read other shops' files are most of the
 * code.
 */
export const stoa = defineCommand({
  meta: { name: 'stoa', version, description: 'A multi-store commerce platform behind one REST API' },
  subCommands: {
    start,
    demo,
    store,
    operator,
    client,
    keys,
    secret,
    staff,
    key,
    ledger,
    capacity,
    monitoring,
    partitions: async () => (await import('./partitions_command.ts')).partitions,
    backup: async () => (await import('./backup_command.ts')).backup,
    restore: async () => (await import('./backup_command.ts')).restore,
    listen: listenCommand,
    trigger: triggerCommand,
    import: async () => (await import('./import_command.ts')).importCommand,
    export: async () => (await import('./import_command.ts')).exportCommand,
    shop,
  },
});
