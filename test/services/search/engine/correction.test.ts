// Corrections: what a typo finds, and in which order.
import { describe, expect, test } from 'vitest';
import { asking } from './named_product.ts';

describe('a typo', () => {
  // The others are newer, which decides ties.
  test.each([
    ['with a letter left out', 'boat', 'bot', ['bog', 'box']],
    ['with two swapped', 'lamp', 'lmap', ['imap', 'amap']],
    ['in a number', '4350', '430', ['730', '431']],
    ['of three letters with the first left out', 'rug', 'ug', []],
    ['with a wrong letter in a code', 'ab7', 'ax7', ['a57', '3x7']],
    ['with a wrong digit in a code', 'e650', 'e690', ['ex90', 'e6s0']],
    ['with a letter too many in a code', 'rx7', 'rvx7', ['rv37', 'r3x7']],
    ['in the part of a size before its point', '97x42.3', '97x421', []],
  ])('%s finds what it is a slip of before what takes a certain other letter', (_what, meant, typed, others) => {
    const found = asking([meant, ...others])(typed);
    expect(found.names[0]).toBe(meant);
  });

  test.each([
    ['k1400', 'lamp ec.k1400.001'],
    ['97x42', 'labels 97x42.3 mm'],
    ['pf15', 'filter pf15.4w'],
  ])('is not needed: %s is looked for in %s', (typed, name) => {
    expect(asking(['other', name])(typed)).toEqual({ names: [name], corrections: [] });
  });

  test('never matches at two edits', () => {
    expect(asking(['oak', 'elm'])('ex').names).toEqual([]);
  });

  test('equal to another word ranks after products with that word', () => {
    const found = asking(['neck strap', 'nec monitor'])('nec');
    expect(found).toEqual({ names: ['nec monitor', 'neck strap'], corrections: [] });
  });

  test.each([
    ['fill no page, and others follow', 12, ['soak basin']],
    ['fill a page, and nothing else is looked for', 20, []],
  ])('that is a word of products which %s', (_what, count, others) => {
    const tables = Array.from({ length: count }, () => 'oak table');
    expect(asking(['soak basin', ...tables])('oak').names).toEqual([...tables, ...others]);
  });

  test('equal to a prefix matches prefixes beside corrections', () => {
    const codes = Array.from({ length: 20 }, (_, at) => `part 1336${1_000 + at}`);
    const found = asking(['firewire 1363', ...codes])('1336').names;
    expect(found).toHaveLength(21);
    expect(found[0]).toBe('firewire 1363');
  });

  test('stays uncorrected at two edits if it is a prefix', () => {
    expect(asking(['abc', 'bda'])('ab').names).toEqual(['abc']);
  });

  test('ranks before products that mention it as a number in passing', () => {
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
    const quiet = Array.from({ length: 30 }, () => `paper ${words} 720 sheets`);
    expect(asking(['printer 7200', ...quiet])('720').names[0]).toBe('printer 7200');
  });

  test('within a word of letters and digits ranks before products with its parts by chance', () => {
    const ask = asking([
      'clamp lp811',
      'a long description of lp players, and of 11 more of them, said in very many words',
    ]);
    expect(ask('lp11').names[0]).toBe('clamp lp811');
  });

  test('shows the correction with an omitted letter, unless another correction is far more frequent', () => {
    const plenty = Array.from({ length: 30 }, () => 'cafe table');
    expect(asking(['cable', 'cafe'])('cabe').corrections).toEqual([{ from: 'cabe', to: 'cable' }]);
    expect(asking(['cable', ...plenty])('cabe').corrections).toEqual([{ from: 'cabe', to: 'cafe' }]);
  });
});

describe('a word with a slash or a hyphen', () => {
  test.each([
    ['its slash left out', 'plug/rca', 'plugrca'],
    ['its slash missed', 'plug/rca', 'plughrca'],
    ['its slash in another place', 'audio/video', 'audi/ovideo'],
  ])('is found with %s', (_what, meant, typed) => {
    const others = Array.from({ length: 12 }, () => 'white shirt with lack of black');
    expect(asking([`cable ${meant}`, ...others])(typed).names[0]).toBe(`cable ${meant}`);
  });

  test('matches its pieces anywhere, as typed or nearly', () => {
    expect(asking(['white shirt, black stripes'])('black/white').names).toHaveLength(1);
    expect(asking(['cable for usb'])('usb-cabel').names).toHaveLength(1);
    expect(asking(['cable for usb'])('usb/cabel').names).toHaveLength(1);
  });

  test('forms no larger number of numbers', () => {
    expect(asking(['switch 10/100', 'switch 10100'])('10100').names).toEqual(['switch 10100']);
    expect(asking(['switch 10/100', 'switch 10100'])('10/100').names).toEqual(['switch 10/100']);
  });
});

describe('a prefix', () => {
  test('scores more the more of the word it covers', () => {
    expect(asking(['planet', 'planetarium'])('plane').names).toEqual(['planet', 'planetarium']);
  });

  test('scores more than a distant correction', () => {
    expect(asking(['blanket', 'bland'])('blank').names).toEqual(['blanket', 'bland']);
  });
});
