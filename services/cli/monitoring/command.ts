// `stoa monitoring DIR` writes alert rules for Prometheus and a dashboard for Grafana; `stoa ledger` checks the
// accounts.
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { administer, define, JSON_OPTION, print, say } from '#services/cli/command.ts';
import { SetupError } from '#services/cli/local/child.ts';

export const MONITORING_FILES = ['alerts.yaml', 'dashboard.json'] as const;

export const monitoring = define({
  name: 'monitoring',
  description: 'Writes alert rules for Prometheus and a dashboard for Grafana into a folder',
  args: { dir: { type: 'positional', description: 'The folder, created if it is missing', required: true } },
  run: async ({ dir }) => {
    await mkdir(dir, { recursive: true });
    for (const name of MONITORING_FILES) {
      const to = join(dir, name);
      await copyFile(fileURLToPath(new URL(name, import.meta.url)), to);
      say(to);
    }
  },
});

export const ledger = define({
  name: 'ledger',
  description: 'Checks the books: each posting adds up to zero, each account to the sum of its entries',
  args: {
    store: { type: 'string', description: "A store's id; all stores by default", valueHint: 'id' },
    json: JSON_OPTION,
  },
  run: async ({ store, json }) => {
    const { balanced, lines } = await administer((admin) => admin.trialBalance(store ? { store } : {}));
    const rows = lines.map(
      ({ store: id, environment, currency, postings, sum, turnover, uneven, astray }) =>
        `  ${id} ${environment.padEnd(10)} ${currency}  postings ${postings}  turnover ${turnover}  sum ${sum}` +
        `${uneven || astray ? `  UNEVEN ${uneven}  ASTRAY ${astray}` : ''}`,
    );
    print(json, { balanced, lines }, () =>
      [...rows, balanced ? 'The books are balanced: the sum of all entries is 0.' : 'THE BOOKS ARE NOT BALANCED.'].join(
        '\n',
      ),
    );
    if (!balanced) throw new SetupError('The books are not balanced. See the lines marked UNEVEN or ASTRAY.');
  },
});
