// Encodes many events in one message; malformed lines affect no others.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchSubject, packEvents, unpackEvents, wantedSubjects } from '#runtime/event/batch.ts';

const STORE = '11111111-1111-4111-8111-111111111111';
const event = fc.record({
  type: fc.constantFrom('product.created', 'cart.updated', 'feature.status_changed'),
  id: fc.stringMatching(/^evt_[0-9]{13}_[0-9a-f]{16}$/),
  sequence: fc.maxSafeNat(),
});
const tenantEvents = fc.record({
  store: fc.uuid(),
  environment: fc.constantFrom('production', 'sandbox'),
  events: fc.array(event, { minLength: 1, maxLength: 5 }),
});
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const packOf = (events: readonly Event[]) => ({
  heads: events.map(({ type, id }) => `${type} ${id}`).join('\n'),
  places: events.map(({ sequence }) => sequence).join(' '),
});

test('whatever is packed is unpacked, in its order', () => {
  fc.assert(
    fc.property(fc.array(tenantEvents, { maxLength: 20 }), fc.boolean(), (all, followed) => {
      const packs = all.map(({ store, environment, events }) => ({ store, environment, ...packOf(events) }));
      expect(unpackEvents(packEvents(packs), followed)).toEqual(
        all.flatMap(({ store, environment, events }) =>
          events.map((each) => ({ tenant: { store, environment }, followed, ...each })),
        ),
      );
    }),
  );
});

test.each([
  ['nothing but a word', 'x'],
  ['an unknown environment', `${STORE} moon product.created evt_1 1`],
  ['no id', `${STORE} sandbox product.created 1 1`],
  ['no place in line', `${STORE} sandbox product.created evt_1`],
  ['bytes that are no text', '\u0000\u00ff'],
])('%s between two events is left out', (_, line) => {
  const good = { store: STORE, environment: 'sandbox', heads: 'a.b evt_1', places: '1' };
  const message = Buffer.concat([packEvents([good]), Buffer.from(`${line}\n`), packEvents([good])]);
  expect(unpackEvents(message).map((each) => each?.id ?? null)).toEqual(['evt_1', null, 'evt_1']);
});

const types = fc.constantFrom('product.created', 'product.updated', 'order.created', 'customer.deleted');

test('a reader of a type looks wherever a batch with it may be, and nowhere where it gets nothing', () => {
  fc.assert(
    fc.property(fc.array(types, { minLength: 1, maxLength: 6 }), fc.nat(6), types, (batch, cut, wanted) => {
      const heads = batch.map((type) => `${type} evt_1`);
      const packs = [heads.slice(0, cut), heads.slice(cut)].filter((some) => some.length > 0);
      const subject = batchSubject(
        's',
        packs.map((some) => ({ heads: some.join('\n') })),
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
