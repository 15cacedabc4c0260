// Revisions: what was kept stands until something that it was made from changed, or may have changed unheard.
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
    ['does not stand while nothing was heard', given(), 'a', false],
    ['stands at revision 5', given(observe(5)), '', true],
    ['about another product stands when one changes', given(observe(5), notice(6, ['b'])), 'a', true],
    ['about the changed product falls', given(observe(5), notice(6, ['a'])), 'a', false],
    ['about all falls with any change', given(observe(5), notice(6, ['b'])), '', false],
    ['falls when everything may have changed', given(observe(5), notice(6, null)), 'a', false],
    ['falls when a notice was missed', given(observe(5), notice(7, ['b'])), 'a', false],
    ['falls when an answer shows a revision that no notice told of', given(observe(5), observe(6)), 'a', false],
    ['falls when a link was lost', given(observe(5), (revisions) => revisions.clear()), 'a', false],
    [
      'falls when a late notice tells more of the same revision',
      given(observe(5), notice(6, ['b']), notice(6, ['a'])),
      'a',
      false,
    ],
    ['of an older revision than the first heard does not stand', given(observe(6)), 'a', false],
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

  test('stands while none of what it holds changes, however often it is looked at', () => {
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
    ['an answer shows a revision that was not told of', observe(6)],
    ['a link was lost', (revisions) => revisions.clear()],
    [
      'a link was lost and the same revision heard of again',
      (revisions) => [revisions.clear(), notice(6, [])(revisions)],
    ],
    ['a late notice tells more of the same revision', notice(5, ['a'])],
  ])('falls when %s', (_name, happens) => {
    const revisions = given(observe(4), notice(5, []));
    const dependency = { ...dependencyOf(revisions, 'a'), revision: 4 };
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(true);
    happens(revisions);
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(false);
  });

  test('that may hold anything falls with any change', () => {
    const revisions = given(observe(5));
    const dependency = dependencyOf(revisions);
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(true);
    notice(6, ['c'])(revisions);
    expect(revisions.isDependencyFresh(KEY, dependency)).toBe(false);
  });

  test('made in silence falls with the first word', () => {
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
    ['of a revision stands while nothing else is heard', stands(given(observe(5)), nothing), true],
    ['of a revision stands when another product changes', stands(given(observe(5)), notice(6, ['b'])), true],
    ['of a revision falls when the product changes', stands(given(observe(5)), notice(6, ['a'])), false],
    ['of a revision falls when a link was lost', stands(given(observe(5)), forget), false],
    ['of silence stands while it lasts', stands(given(), nothing), true],
    ['of silence falls with the first word, whatever it is of', stands(given(), notice(1, ['b'])), false],
    ['of silence falls when a link was lost', stands(given(), forget), false],
    [
      'of silence falls when a word was heard and forgotten',
      stands(given(), (all) => void [observe(5), forget].map((each) => each(all))),
      false,
    ],
  ])('%s', (_name, stood, expected) => expect(stood).toBe(expected));
});

test('nothing stale ever stands, in whatever order notices come or are lost', () => {
  const change = fc.record({ subject: fc.constantFrom('a', 'b', 'c'), heard: fc.boolean(), late: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
      const revisions = given(observe(1));
      const late: (() => void)[] = [];
      changes.forEach(({ subject, heard, late: isLate }, i) => {
        const tell = () => revisions.apply({ kind: 'catalog', tenant, revision: i + 2, ids: [subject] });
        if (heard && !isLate) tell();
        else if (heard) late.push(tell);
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
