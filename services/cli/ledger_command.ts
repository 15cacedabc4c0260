// `stoa ledger`: prints the trial balance of the running system.
import { administer, define, JSON_OPTION, print } from './command.ts';
import { SetupError } from './local/child.ts';

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
