// Publication: how an author's input and time change a status.
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import {
  applyPublication,
  duePublication,
  isFirstPublication,
  type Publication,
  type PublicationInput,
  UNPUBLISHED,
} from '#services/content/publication.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const said = (seconds: number): string => at(seconds).toISOString();

const draft: Publication = UNPUBLISHED;
const scheduled: Publication = { status: 'scheduled', published_at: at(60), first_published_at: null };
const published: Publication = { status: 'published', published_at: at(-60), first_published_at: at(-60) };
const withdrawn: Publication = { ...published, status: 'draft' };

describe('an author’s input', () => {
  test.each<[string, Publication, PublicationInput, Publication]>([
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
      { status: 'published', published_at: NOW, first_published_at: NOW },
    ],
    [
      'to publish early what is scheduled publishes it now',
      scheduled,
      { status: 'published' },
      { status: 'published', published_at: NOW, first_published_at: NOW },
    ],
    [
      'may date it back',
      draft,
      { status: 'published', published_at: said(-3_600) },
      { status: 'published', published_at: at(-3_600), first_published_at: NOW },
    ],
    ['to withdraw remembers the first publication', published, { status: 'draft' }, withdrawn],
    ['to publish it again keeps its date', withdrawn, { status: 'published' }, published],
    ['to take its date back dates it now', published, { published_at: null }, { ...published, published_at: NOW }],
  ])('%s', (_name, before, input, after) => {
    expect(applyPublication(before, input, NOW)).toEqual(after);
  });

  test.each<[string, Publication, PublicationInput]>([
    ['to schedule without a time', draft, { status: 'scheduled' }],
    ['to schedule for now', draft, { status: 'scheduled', published_at: said(0) }],
    ['to schedule for the past', published, { status: 'scheduled' }],
    ['to take the time of what is scheduled', scheduled, { published_at: null }],
    ['to have been published in the future', draft, { status: 'published', published_at: said(1) }],
  ])('%s is refused', (_name, before, input) => {
    const refusal = applyPublication(before, input, NOW);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: 'invalid_request', extra: { param: 'published_at' } });
  });
});

describe('time', () => {
  test('publishes a scheduled item at its time and not before', () => {
    expect(duePublication(scheduled, at(59.999))).toBeNull();
    expect(duePublication(scheduled, at(60))).toEqual({
      status: 'published',
      published_at: at(60),
      first_published_at: at(60),
    });
    for (const other of [draft, published, { ...draft, published_at: at(-1) }])
      expect(duePublication(other, at(99))).toBeNull();
  });
});

test('only the first publication counts as first', () => {
  expect(isFirstPublication(draft, published)).toBe(true);
  expect(isFirstPublication(withdrawn, published)).toBe(false);
  expect(isFirstPublication(draft, scheduled)).toBe(false);
});
