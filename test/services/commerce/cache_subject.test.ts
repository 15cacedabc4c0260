// Cache subjects are read back exactly as they were written.
import { expect, test } from 'vitest';
import { readFeedSubject, readSubject, writeFeedSubject, writeSubject } from '#services/commerce/cache_subject.ts';

test.each([
  ['a', [], { subject: 'a', shown: null }],
  ['', [], { subject: '', shown: null }],
  ['a', ['p'], { subject: 'a', shown: ['p'] }],
  ['', ['p', 'q'], { subject: '', shown: ['p', 'q'] }],
  ['a', Array.from({ length: 1_001 }, (_, at) => `${at}`), { subject: 'a', shown: [] }],
])('of %j that shows %j', (subject, shown, read) => {
  expect(readSubject(writeSubject(subject, new Set(shown)))).toEqual(read);
});

test('a feed is a store’s, and may tell of its content', () => {
  expect(readFeedSubject('s')).toEqual({ store: 's', content: null });
  for (const content of [0, 7])
    expect(readFeedSubject(writeFeedSubject('s', content))).toEqual({ store: 's', content });
});
