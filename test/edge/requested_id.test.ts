// "No such order." names the id that the request asked for; other values and other refusals stay as they are.
import { describe, expect, test } from 'vitest';
import { withRequestedId } from '#edge/requested_id.ts';
import { notFound, refuse } from '#runtime/call/call.ts';

const ID = '01890000-0000-7000-8000-000000000001';

describe('a refusal of an unknown id', () => {
  test('names the value of its param, at any depth', () => {
    const input = { items: [{ variant_id: ID }] };
    const named = withRequestedId(notFound('variant', 'items[0].variant_id'), input, {});
    expect(named).toEqual(refuse('not_found', `No such variant: ${ID}.`, { param: 'items[0].variant_id' }));
  });

  test('names the only id of the path if it has no param', () => {
    expect(withRequestedId(notFound('order'), {}, { id: ID }).message).toBe(`No such order: ${ID}.`);
    expect(withRequestedId(notFound('item'), {}, { id: ID, item_id: ID }).message).toBe('No such item.');
  });

  test('repeats no value that is no UUID, since it may be a secret', () => {
    const refusal = notFound('gift card', 'code');
    expect(withRequestedId(refusal, { code: 'ABCD-EFGH' }, {})).toBe(refusal);
    expect(withRequestedId(refusal, {}, {})).toBe(refusal);
  });

  test.each([refuse('conflict', 'No such luck.'), refuse('not_found', 'No endpoint has this path.')])(
    'leaves other refusals as they are: $message',
    (refusal) => {
      expect(withRequestedId(refusal, {}, { id: ID })).toBe(refusal);
    },
  );
});
