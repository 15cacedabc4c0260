// When something is published: what an author's wish makes of a status, and what time alone does.
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { come, isFirst, type Publication, type StandingWish, stand, UNBORN } from '#services/content/publication.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const said = (seconds: number): string => at(seconds).toISOString();

const draft: Publication = UNBORN;
const scheduled: Publication = { status: 'scheduled', published_at: at(60), told_at: null };
const published: Publication = { status: 'published', published_at: at(-60), told_at: at(-60) };
const withdrawn: Publication = { ...published, status: 'draft' };

describe('a wish', () => {
  test.each<[string, Publication, StandingWish, Publication]>([
    ['for nothing leaves a draft a draft', draft, {}, draft],
    ['for a draft with a time keeps the time', draft, { published_at: said(5) }, { ...draft, published_at: at(5) }],
    ['to schedule has it wait', draft, { status: 'scheduled', published_at: said(60) }, scheduled],
    [
      'to schedule takes the time that stands there',
      { ...draft, published_at: at(60) },
      { status: 'scheduled' },
      scheduled,
    ],
    ['for another time reschedules', scheduled, { published_at: said(90) }, { ...scheduled, published_at: at(90) }],
    ['for a draft again calls it off', scheduled, { status: 'draft' }, { ...scheduled, status: 'draft' }],
    [
      'to publish a draft publishes it now',
      draft,
      { status: 'published' },
      { status: 'published', published_at: NOW, told_at: NOW },
    ],
    [
      'to publish early what is scheduled publishes it now',
      scheduled,
      { status: 'published' },
      { status: 'published', published_at: NOW, told_at: NOW },
    ],
    [
      'may date it back',
      draft,
      { status: 'published', published_at: said(-3_600) },
      { status: 'published', published_at: at(-3_600), told_at: NOW },
    ],
    ['to withdraw remembers that it was told', published, { status: 'draft' }, withdrawn],
    ['to publish it again keeps its date', withdrawn, { status: 'published' }, published],
    ['to take its date back dates it now', published, { published_at: null }, { ...published, published_at: NOW }],
  ])('%s', (_name, before, wish, after) => {
    expect(stand(before, wish, NOW)).toEqual(after);
  });

  test.each<[string, Publication, StandingWish]>([
    ['to schedule without a time', draft, { status: 'scheduled' }],
    ['to schedule for now', draft, { status: 'scheduled', published_at: said(0) }],
    ['to schedule for the past', published, { status: 'scheduled' }],
    ['to take the time of what is scheduled', scheduled, { published_at: null }],
    ['to have been published in the future', draft, { status: 'published', published_at: said(1) }],
  ])('%s is refused', (_name, before, wish) => {
    const refusal = stand(before, wish, NOW);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: 'invalid_request', extra: { param: 'published_at' } });
  });
});

describe('time', () => {
  test('publishes what is scheduled, at its moment and not before', () => {
    expect(come(scheduled, at(59.999))).toBeNull();
    expect(come(scheduled, at(60))).toEqual({ status: 'published', published_at: at(60), told_at: at(60) });
    for (const other of [draft, published, { ...draft, published_at: at(-1) }]) expect(come(other, at(99))).toBeNull();
  });
});

test('the first publication is the one that is told', () => {
  expect(isFirst(draft, published)).toBe(true);
  expect(isFirst(withdrawn, published)).toBe(false);
  expect(isFirst(draft, scheduled)).toBe(false);
});
