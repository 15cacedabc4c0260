// Words that are easily cut in the wrong place: signs that belong to a name, emoji, Arabic articles and plurals.
import { describe, expect, test } from 'vitest';
import { asking } from '#test/services/search/engine/named_product.ts';

describe('signs at the end of a word', () => {
  const ask = asking(['Primer of C++', 'Primer of C#', 'Vitamin C tablets', 'Notepad++ mug', 'Galaxy S9+ cover']);
  test.each([
    ['C++', ['Primer of C++']],
    ['c#', ['Primer of C#']],
    ['primer c#', ['Primer of C#']],
    ['notepad', ['Notepad++ mug']],
    ['notepad++', ['Notepad++ mug']],
    ['s9', ['Galaxy S9+ cover']],
    ['s9+', ['Galaxy S9+ cover']],
  ])('"%s" finds %s', (query, names) => {
    expect(ask(query).names).toEqual(names);
  });

  test('a letter without a sign finds all of them, that letter first', () => {
    expect(ask('c').names.slice(0, 3)).toEqual(['Vitamin C tablets', 'Primer of C#', 'Primer of C++']);
  });
});

describe('emoji', () => {
  const ask = asking(['Mug 🐱', 'Mug 🐶', 'T-shirt ❤️ Paris', 'Flag 🇫🇷 small', 'Flag 🇩🇪 small', 'Thumb 👍🏽 sticker']);
  test.each([
    ['🐱', ['Mug 🐱']],
    ['mug 🐶', ['Mug 🐶']],
    ['❤', ['T-shirt ❤️ Paris']],
    ['🇩🇪', ['Flag 🇩🇪 small']],
    ['👍', ['Thumb 👍🏽 sticker']],
    ['👍🏿', ['Thumb 👍🏽 sticker']],
    ['🦄', []],
  ])('%s finds %s', (query, names) => {
    expect(ask(query).names).toEqual(names);
  });
});

describe('Arabic', () => {
  test.each([
    ['هاتف', 'الهاتف الذكي'],
    ['الهاتف', 'هاتف ذكي'],
    ['هواتف', 'هاتف ذكي'],
    ['هاتف', 'الهواتف'],
    ['حقيبة', 'حقائب جلدية'],
    ['الحقائب', 'حقيبة يد'],
    ['ساعات', 'ساعة يد'],
    ['قمصان', 'قميص قطني'],
    ['كتاب', 'كتب الأطفال'],
    ['والمصابيح', 'مصباح مكتب'],
    ['سماعات', 'سمّاعة لاسلكية'],
    ['أحمر', 'فستان احمر'],
    ['كتـــاب', 'كتاب'],
  ])('"%s" finds "%s"', (query, name) => {
    expect(asking([name, 'شيء آخر'])(query).names).toEqual([name]);
  });
});
