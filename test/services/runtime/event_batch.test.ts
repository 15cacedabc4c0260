// Many events in one message: each comes out as it went in, and what is no event spoils nothing else.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchSubject, packEvents, unpackEvents, wantedSubjects } from '#runtime/event_batch.ts';

const STORE = '11111111-1111-4111-8111-111111111111';
const event = fc.record({
  store: fc.uuid(),
  environment: fc.constantFrom('production', 'sandbox'),
  type: fc.constantFrom('product.created', 'cart.updated', 'feature.status_changed'),
  payload: fc
    .tuple(fc.stringMatching(/^evt_[0-9]{13}_[0-9a-f]{16}$/), fc.jsonValue())
    .map(([id, object]) => JSON.stringify({ id, data: { object } })),
});

test('whatever is packed is unpacked, in its order and byte for byte', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      const unpacked = unpackEvents(packEvents(events)).map((each) => ({
        ...each?.tenant,
        id: each?.id,
        type: each?.type,
        payload: Buffer.from(each?.bytes ?? []).toString(),
      }));
      expect(unpacked).toEqual(events.map((each) => ({ ...each, id: JSON.parse(each.payload).id })));
    }),
  );
});

test.each([
  ['nothing but a word', 'x'],
  ['an unknown environment', `${STORE} moon product.created {"id":"evt_1"}`],
  ['no envelope', `${STORE} sandbox product.created {"name":"evt_1"}`],
  ['bytes that are no text', '\u0000\u00ff'],
])('%s between two events is left out', (_, line) => {
  const good = { store: STORE, environment: 'sandbox', type: 'a.b', payload: '{"id":"evt_1"}' };
  const message = Buffer.concat([packEvents([good]), Buffer.from(`${line}\n`), packEvents([good])]);
  expect(unpackEvents(message).map((each) => each?.id ?? null)).toEqual(['evt_1', null, 'evt_1']);
});

const types = fc.constantFrom('product.created', 'product.updated', 'order.created', 'customer.deleted');

test('whoever wants a type looks wherever a batch with it may be, and nowhere where he gets nothing', () => {
  fc.assert(
    fc.property(fc.array(types, { minLength: 1, maxLength: 6 }), types, (batch, wanted) => {
      const subject = batchSubject(
        's',
        batch.map((type) => ({ type })),
      );
      const group = wanted.split('.')[0];
      for (const looks of [wantedSubjects('s', [wanted]), wantedSubjects('s', [`${group}.*`])]) {
        if (batch.includes(wanted)) expect(looks).toContain(subject);
        if (batch.every((type) => !type.startsWith(`${group}.`)) && new Set(batch).size === 1)
          expect(looks).not.toContain(subject);
      }
    }),
  );
  expect(wantedSubjects('s', ['order.created', '*'])).toBeNull();
});
