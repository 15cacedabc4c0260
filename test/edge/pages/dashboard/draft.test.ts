// Drafts: their differences from a record, and what a merge with another person's changes retains.
import { describe, expect, it } from 'vitest';
import { differences, mergeDraft } from '#edge/pages/dashboard/draft.ts';

const saved = { name: 'Lamp', price: 10, tags: ['a'], version: 1 };

describe('a draft', () => {
  it('differs in the fields whose values differ, lists included', () => {
    expect(differences(saved, { ...saved, tags: ['a'] })).toEqual({});
    expect(differences(saved, { ...saved, price: 11, tags: ['a', 'b'] })).toEqual({ price: 11, tags: ['a', 'b'] });
  });

  it('takes their fields and retains its own', () => {
    const theirs = { ...saved, price: 12, version: 2 };
    const { draft, changes } = mergeDraft(saved, theirs, { ...saved, name: 'Desk lamp' });
    expect(draft).toEqual({ name: 'Desk lamp', price: 12, tags: ['a'], version: 2 });
    expect(changes).toEqual([{ name: 'price', theirs: 12, mine: 10, isOurs: false }]);
  });

  it('retains its own value of a field that both changed, unless theirs is chosen', () => {
    const theirs = { ...saved, name: 'Floor lamp', version: 2 };
    const mine = { ...saved, name: 'Desk lamp' };
    expect(mergeDraft(saved, theirs, mine).changes).toEqual([
      { name: 'name', theirs: 'Floor lamp', mine: 'Desk lamp', isOurs: true },
    ]);
    expect(mergeDraft(saved, theirs, mine, new Set(['name'])).draft.name).toBe('Desk lamp');
    expect(mergeDraft(saved, theirs, mine, new Set()).draft.name).toBe('Floor lamp');
  });

  it('asks nothing about a field that both changed alike', () => {
    const both = { ...saved, price: 12 };
    expect(mergeDraft(saved, { ...both, version: 2 }, both).changes).toEqual([
      { name: 'price', theirs: 12, mine: 12, isOurs: false },
    ]);
  });
});
