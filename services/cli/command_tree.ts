// All commands of the command line: `stoa start` brings a system up, the others speak to one that runs. (`stoa test` is in the
// door.)
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { capacity } from './capacity/command.ts';
import { client } from './client_command.ts';
import { define, say } from './command.ts';
import { demo } from './demo_command.ts';
import { keys } from './keys_command.ts';
import { ledger } from './ledger_command.ts';
import { listenCommand } from './listen_command.ts';
import { rootPath } from './local/home.ts';
import { monitoring } from './monitoring/command.ts';
import { operator } from './operator_command.ts';
import { shop } from './shop_command.ts';
import { store } from './store_command.ts';
import { triggerCommand } from './trigger/command.ts';

const start = define({
  name: 'start',
  description: 'Start a system on this machine, and stop it with Ctrl-C',
  args: {
    verbose: {
      type: 'boolean',
      description: "Show every part's own log instead of keeping it in the home's log folder",
    },
  },
  run: async ({ verbose }) => {
    const { start: startSystem } = await import('./start.ts');
    await startSystem({ verbose: verbose === true, say });
    process.exit(0);
  },
});

const { version } = JSON.parse(readFileSync(join(rootPath(), 'package.json'), 'utf8')) as { version: string };

/** What speaks to the database or reads files of other shops is read once it is asked for: it is most of the whole. */
export const stoa = defineCommand({
  meta: { name: 'stoa', version, description: 'A multi-store commerce platform behind one REST API' },
  subCommands: {
    start,
    demo,
    store,
    operator,
    client,
    keys,
    ledger,
    capacity,
    monitoring,
    partitions: async () => (await import('./partitions_command.ts')).partitions,
    backup: async () => (await import('./backup_command.ts')).backup,
    restore: async () => (await import('./backup_command.ts')).restore,
    listen: listenCommand,
    trigger: triggerCommand,
    import: async () => (await import('./import_command.ts')).importCommand,
    export: async () => (await import('./export_command.ts')).exportCommand,
    shop,
  },
});
