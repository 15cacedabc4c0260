// Tests that a copy is fresh until a notice names one of its dependencies, or may have been lost.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CopyDependency, Freshness, NO_NOTICE } from '#edge/gates/freshness.ts';
import { type Dependency, tenantKey } from '#runtime/call/call.ts';

const tenant = { store: 's', environment: 'production' } as const;
const other = { store: 'o', environment: 'production' } as const;

type Happens = (freshness: Freshness) => void;

const given = (...steps: Happens[]): Freshness => {
  const freshness = new Freshness();
  for (const step of steps) step(freshness);
  return freshness;
};
const named = (revision: number, ids: readonly string[] = []): Dependency => ({ kind: 'catalog', revision, ids });
const observe =
  (revision: number): Happens =>
  (freshness) =>
    freshness.dependenciesOf(tenant, [named(revision)], freshness.noticeCount);
const notice =
  (revision: number, ids: string[] | null): Happens =>
  (freshness) =>
    freshness.apply({ kind: 'catalog', tenant, revision, ids });
const lose: Happens = (freshness) => freshness.clear();

/** A copy made from a revision that the services named. */
const copyOf = (revision: number, ...ids: string[]): readonly CopyDependency[] => [
  { key: tenantKey(tenant, 'catalog'), revision, ids, validatedAtNotice: NO_NOTICE },
];

describe('a copy made from revision 5', () => {
  test.each<[string, Freshness, string[], boolean]>([
    ['is stale before any notice', given(), ['a'], false],
    ['is fresh at revision 5', given(observe(5)), [], true],
    ['about another product stays fresh when one changes', given(observe(5), notice(6, ['b'])), ['a'], true],
    ['about the changed product becomes stale', given(observe(5), notice(6, ['a'])), ['a'], false],
    ['about everything becomes stale with any change', given(observe(5), notice(6, ['b'])), [], false],
    ['becomes stale when everything may have changed', given(observe(5), notice(6, null)), ['a'], false],
    ['becomes stale when a notice was missed', given(observe(5), notice(7, ['b'])), ['a'], false],
    ['becomes stale when a response has a revision without a notice', given(observe(5), observe(6)), ['a'], false],
    ['becomes stale when a link was lost', given(observe(5), lose), ['a'], false],
    [
      'becomes stale when a late notice adds to the same revision',
      given(observe(5), notice(6, ['b']), notice(6, ['a'])),
      ['a'],
      false,
    ],
    ['is stale if it is older than the first known revision', given(observe(6)), ['a'], false],
  ])('%s', (_name, freshness, ids, isFresh) => {
    expect(freshness.isFresh(copyOf(5, ...ids))).toBe(isFresh);
  });
});

/** Dependencies of a copy whose services do not know the revision. */
const currentOf = (freshness: Freshness, ...ids: string[]): readonly CopyDependency[] =>
  freshness.dependenciesOf(tenant, [named(0, ids)], freshness.noticeCount) ?? [];

describe('a copy of whatever was current', () => {
  test('stays fresh over repeated checks while none of its ids changes', () => {
    const freshness = given(observe(5));
    const copy = currentOf(freshness, 'a', 'b');
    for (let revision = 6; revision < 20; revision++) {
      notice(revision, ['c'])(freshness);
      expect([freshness.isFresh(copy), freshness.isFresh(copy)]).toEqual([true, true]);
    }
    notice(20, ['d', 'b'])(freshness);
    expect(freshness.isFresh(copy)).toBe(false);
  });

  test.each<[string, Happens]>([
    ['everything may have changed', notice(6, null)],
    ['a notice was missed', notice(7, ['c'])],
    ['a response has a revision without a notice', observe(6)],
    ['a link was lost', lose],
    ['a link was lost and the same revision announced again', (all) => [lose, notice(6, [])].map((each) => each(all))],
    ['a late notice adds to the same revision', notice(5, ['a'])],
  ])('becomes stale when %s', (_name, happens) => {
    const freshness = given(observe(4));
    const copy = currentOf(freshness, 'a');
    notice(5, [])(freshness);
    expect(freshness.isFresh(copy)).toBe(true);
    happens(freshness);
    expect(freshness.isFresh(copy)).toBe(false);
  });

  test('becomes stale with any change if it names no ids', () => {
    const freshness = given(observe(5));
    const copy = currentOf(freshness);
    expect(freshness.isFresh(copy)).toBe(true);
    notice(6, ['c'])(freshness);
    expect(freshness.isFresh(copy)).toBe(false);
  });

  test.each<[string, Happens, boolean]>([
    ['stays fresh without a notice', () => {}, true],
    ['becomes stale with the first notice', notice(1, ['c']), false],
    ['becomes stale with the first response that names a revision', observe(1), false],
    ['becomes stale when a link was lost', lose, false],
    [
      'becomes stale when a notice came and a link was lost',
      (all) => [observe(5), lose].map((each) => each(all)),
      false,
    ],
  ])('of which no notice was known %s', (_name, happens, isFresh) => {
    const freshness = given();
    const copy = currentOf(freshness, 'a');
    happens(freshness);
    expect(freshness.isFresh(copy)).toBe(isFresh);
  });

  test.each<[string, Happens]>([
    ['a notice came', notice(6, ['b'])],
    ['a link was lost', lose],
  ])('is dropped if %s during the call', (_name, happens) => {
    const freshness = given(observe(5));
    const askedAt = freshness.noticeCount;
    happens(freshness);
    expect(freshness.dependenciesOf(tenant, [named(0, ['a'])], askedAt)).toBeNull();
    expect(freshness.dependenciesOf(tenant, [named(0, ['a'])], freshness.noticeCount)).not.toBeNull();
  });
});

describe('a copy that depends on stores', () => {
  const settings = (store: typeof tenant | typeof other): Happens => {
    return (freshness) => freshness.apply({ kind: 'store', tenant: store, revision: 0, ids: [] });
  };
  const dependsOn: readonly Dependency[] = [tenant, other].map((each) => ({
    tenant: each,
    kind: 'store',
    revision: 0,
    ids: [],
  }));

  test.each([tenant, other])('becomes stale with each notice about $store', (changed) => {
    const freshness = given();
    for (let at = 0; at < 3; at++) {
      const copy = freshness.dependenciesOf(tenant, dependsOn, freshness.noticeCount)!;
      expect(freshness.isFresh(copy)).toBe(true);
      notice(at + 1, null)(freshness);
      expect(freshness.isFresh(copy)).toBe(true);
      settings(changed)(freshness);
      expect(freshness.isFresh(copy)).toBe(false);
    }
  });

  test('drops the copy if a store changed during the call', () => {
    const freshness = given();
    const askedAt = freshness.noticeCount;
    settings(other)(freshness);
    expect(freshness.dependenciesOf(tenant, dependsOn, askedAt)).toBeNull();
  });
});

test('makes no copy of a response that names nothing', () => {
  const freshness = given();
  expect(freshness.dependenciesOf(tenant, [], freshness.noticeCount)).toBeNull();
});

test('makes copies stale by what a write has changed', () => {
  const freshness = given(observe(5));
  freshness.applyWrite(tenant, [named(6, ['a'])]);
  expect([freshness.isFresh(copyOf(5, 'a')), freshness.isFresh(copyOf(5, 'b'))]).toEqual([false, true]);
  freshness.applyWrite(tenant, [named(7)]);
  expect([freshness.isFresh(copyOf(6, 'b')), freshness.newest(tenant, 'catalog')]).toEqual([false, 7]);
});

test('never reports a stale response as fresh, with notices reordered or lost', () => {
  const change = fc.record({ id: fc.constantFrom('a', 'b', 'c'), observed: fc.boolean(), late: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
      const freshness = given(observe(1));
      const late: (() => void)[] = [];
      changes.forEach(({ id, observed, late: isLate }, i) => {
        const tell = () => freshness.apply({ kind: 'catalog', tenant, revision: i + 2, ids: [id] });
        if (observed && !isLate) tell();
        else if (observed) late.push(tell);
      });
      for (const tell of late) tell();
      const last = changes.length + 1;
      // Once the last revision is known by any way, only what no change since touched may stand.
      observe(last)(freshness);
      for (let made = 1; made <= last; made++)
        for (const id of ['a', 'b', 'c']) {
          const touched = changes.some((change, i) => change.id === id && i + 2 > made);
          if (touched) expect(freshness.isFresh(copyOf(made, id))).toBe(false);
        }
    }),
  );
});
