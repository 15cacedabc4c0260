// Tests which comparisons count as comparisons of secrets.
import { expect, test } from 'vitest';
import { secretComparisons } from './secret_comparison.ts';

test.each([
  ['token === given', 'token === given'],
  ['given !== row.secret', '!== row.secret'],
  ['row.webhookSecret === text', 'row.webhookSecret === text'],
])('finds %s', (text, comparison) => expect(secretComparisons(`if (${text}) return;`)).toEqual([comparison]));

test.each(["token === ''", 'secret !== null', 'token.id === id', 'constantTimeEqual(token, given)', 'code === PAID'])(
  'passes %s',
  (text) => expect(secretComparisons(`if (${text}) return;`)).toEqual([]),
);
