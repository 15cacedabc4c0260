// Tests that a response is fresh until one of its subjects changed or may have changed without a notice.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NO_NOTICE, Revisions } from '#edge/gates/revision.ts';
import { tenantKey } from '#runtime/call/call.ts';

const tenant = { store: 's', environment: 'production' } as const;
const KEY = tenantKey(tenant);

const given = (...steps: ((revisions: Revisions) => void)[]): Revisions => {
  const revisions = new Revisions();
  for (const step of steps) step(revisions);
  return revisions;
};
const observe = (revision: number) => (revisions: Revisions) => revisions.observe(tenant, revision);
const notice = (revision: number, subjects: string[] | null) => (revisions: Revisions) =>
  revisions.apply({ kind: 'catalog', tenant, revision, ids: subjects });

describe('an answer made from revision 5', () => {
  test.each<[string, Revisions, string, boolean]>([
    ['is stale before any notice', given(), 'a', false],
    ['is fresh at revision 5', given(observe(5)), '', true],
    ['about another product stays fresh when one changes', given(observe(5), notice(6, ['b'])), 'a', true],
    ['about the changed product becomes stale', given(observe(5), notice(6, ['a'])), 'a', false],
    ['about everything becomes stale with any change', given(observe(5), notice(6, ['b'])), '', false],
    ['becomes stale when everything may have changed', given(observe(5), notice(6, null)), 'a', false],
    ['becomes stale when a notice was missed', given(observe(5), notice(7, ['b'])), 'a', false],
    ['becomes stale when a response has a revision without a notice', given(observe(5), observe(6)), 'a', false],
    ['becomes stale when a link was lost', given(observe(5), (revisions) => revisions.clear()), 'a', false],
    [
      'becomes stale when a late notice adds to the same revision',
      given(observe(5), notice(6, ['b']), notice(6, ['a'])),
      'a',
      false,
    ],
    ['is stale if it is older than the first known revision', given(observe(6)), 'a', false],
  ])('%s', (_name, revisions, subject, stands) => {
    expect(revisions.isFresh(KEY, 5, subject)).toBe(stands);
  });
});

describe('a dependency', () => {
  const dependencyOf = (revisions: Revisions, ...subjects: string[]) => ({
    revision: revisions.current(tenant),
    subjects,
    validatedAtNotice: NO_NOTICE,
  });

  test('stays fresh over repeated checks while none of its subjects changes', () => {
    const revisions = given(observe(5));
    const dependency = dependencyOf(revisions, 'a', 'b');
    for (let revision = 6; revision < 20; revision++) {
      notice(revision, ['c'])(revisions);
      expect([revisions.isDependencyFresh(KEY, dependency), revisions.isDependencyFresh(KEY, dependency)]).toEqual([
        true,
        true,
      ]);
    }
    notice(20, ['d', 'b'])(revisions);
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(false);
  });

  test.each<[string, (revisions: Revisions) => void]>([
    ['everything may have changed', notice(6, null)],
    ['a notice was missed', notice(7, ['c'])],
    ['a response has a revision without a notice', observe(6)],
    ['a link was lost', (revisions) => revisions.clear()],
    [
      'a link was lost and the same revision announced again',
      (revisions) => [revisions.clear(), notice(6, [])(revisions)],
    ],
    ['a late notice adds to the same revision', notice(5, ['a'])],
  ])('becomes stale when %s', (_name, happens) => {
    const revisions = given(observe(4), notice(5, []));
    const dependency = { ...dependencyOf(revisions, 'a'), revision: 4 };
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(true);
    happens(revisions);
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(false);
  });

  test('becomes stale with any change if it has no subjects', () => {
    const revisions = given(observe(5));
    const dependency = dependencyOf(revisions);
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(true);
    notice(6, ['c'])(revisions);
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(false);
  });

  test('becomes stale with the first notice if none was known', () => {
    const revisions = given();
    const dependency = dependencyOf(revisions, 'a');
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(true);
    notice(1, ['c'])(revisions);
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(false);
  });
});

describe('a mark', () => {
  const stands = (made: Revisions, then: (revisions: Revisions) => void, subject = 'a'): boolean => {
    const mark = made.current(tenant);
    then(made);
    return made.isFresh(KEY, mark, subject);
  };
  const nothing = () => {};
  const forget = (revisions: Revisions) => revisions.clear();

  test.each<[string, boolean, boolean]>([
    ['at a revision stays fresh without further notices', stands(given(observe(5)), nothing), true],
    ['at a revision stays fresh when another product changes', stands(given(observe(5)), notice(6, ['b'])), true],
    ['at a revision becomes stale when the product changes', stands(given(observe(5)), notice(6, ['a'])), false],
    ['at a revision becomes stale when a link was lost', stands(given(observe(5)), forget), false],
    ['at the sentinel stays fresh without notices', stands(given(), nothing), true],
    ['at the sentinel becomes stale with the first notice', stands(given(), notice(1, ['b'])), false],
    ['at the sentinel becomes stale when a link was lost', stands(given(), forget), false],
    [
      'of silence falls when a word was heard and forgotten',
      stands(given(), (all) => void [observe(5), forget].map((each) => each(all))),
      false,
    ],
  ])('%s', (_name, stood, expected) => expect(stood).toBe(expected));
});

test('never reports a stale response as fresh, with notices reordered or lost', () => {
  const change = fc.record({ subject: fc.constantFrom('a', 'b', 'c'), observed: fc.boolean(), late: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
      const revisions = given(observe(1));
      const late: (() => void)[] = [];
      changes.forEach(({ subject, observed, late: isLate }, i) => {
        const tell = () => revisions.apply({ kind: 'catalog', tenant, revision: i + 2, ids: [subject] });
        if (observed && !isLate) tell();
        else if (observed) late.push(tell);
      });
      for (const tell of late) tell();
      const last = changes.length + 1;
      // Once the last revision is known by any way, only what no change since touched may stand.
      revisions.observe(tenant, last);
      for (let made = 1; made <= last; made++)
        for (const subject of ['a', 'b', 'c']) {
          const touched = changes.some((change, i) => change.subject === subject && i + 2 > made);
          if (touched) expect(revisions.isFresh(KEY, made, subject)).toBe(false);
        }
    }),
  );
});
