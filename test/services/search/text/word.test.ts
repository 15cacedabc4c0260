// Words that are easily split wrongly: signs in names, emoji, Arabic articles and plurals.
import { describe, expect, test } from 'vitest';
import type { Product } from '#proto/gen/product.ts';
import { documentOf } from '#services/search/product_document.ts';
import { asking, askingDocuments } from '#test/services/search/engine/named_product.ts';

const MUG = { id: crypto.randomUUID(), name: 'Mug', is_active: true, created_at: '2026-01-01T00:00:00Z' };

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

  test('a letter without its sign matches all, that letter first', () => {
    expect(ask('c').names.slice(0, 3)).toEqual(['Vitamin C tablets', 'Primer of C#', 'Primer of C++']);
  });
});

describe('markup of a description', () => {
  const marked = { ...MUG, description: '<p class="lead"><strong>Care:</strong> wash &amp; dry, caf&eacute;</p>' };
  const ask = askingDocuments([documentOf(marked as unknown as Product)]);
  test.each(['wash', 'care', 'dry', 'café', 'mug'])('"%s" finds the product', (word) => {
    expect(ask(word).names).toEqual(['Mug']);
  });
  test.each(['strong', 'class', 'lead', 'amp', 'eacute'])('"%s" finds nothing', (word) => {
    expect(ask(word).names).toEqual([]);
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

describe('words written together or apart', () => {
  const names = [
    'Backpack, canvas',
    'Bluetooth headphones',
    'T-shirt, striped',
    'Wi-Fi router',
    'Book shelf, oak',
    '무선마우스',
    '가죽 가방',
    '스마트폰케이스 투명',
  ];
  const ask = asking(names);
  test.each([
    ['back pack', 'Backpack, canvas'],
    ['back packs', 'Backpack, canvas'],
    ['canvas back pack', 'Backpack, canvas'],
    ['backpack', 'Backpack, canvas'],
    ['blue tooth head phones', 'Bluetooth headphones'],
    ['blue tooth headphone', 'Bluetooth headphones'],
    ['t shirt', 'T-shirt, striped'],
    ['tshirts', 'T-shirt, striped'],
    ['wi fi router', 'Wi-Fi router'],
    ['wifi', 'Wi-Fi router'],
    ['bookshelf', 'Book shelf, oak'],
    ['bookshelves', 'Book shelf, oak'],
    ['무선 마우스', '무선마우스'],
    ['마우스', '무선마우스'],
    ['무선', '무선마우스'],
    ['가죽가방', '가죽 가방'],
    ['스마트폰 케이스', '스마트폰케이스 투명'],
    ['스마트 폰 케이스', '스마트폰케이스 투명'],
  ])('"%s" finds "%s" alone', (query, name) => {
    expect(ask(query).names).toEqual([name]);
  });

  test('both forms match where texts differ', () => {
    const both = asking(['Back pack, nylon', 'Backpack, canvas', 'Pack of cards']);
    expect(both('back pack').names.slice(0, 2).sort()).toEqual(['Back pack, nylon', 'Backpack, canvas']);
  });

  test('three words match if one text joins them', () => {
    expect(asking(['게이밍무선마우스', '책상'])('게이밍 무선 마우스').names).toEqual(['게이밍무선마우스']);
    expect(asking(['게이밍 무선 마우스', '책상'])('게이밍무선마우스').names).toEqual(['게이밍 무선 마우스']);
  });
});

describe('apostrophes', () => {
  const names = [
    "Women's coat",
    "L'Oréal shampoo",
    "Huile d'olive",
    'Levi’s 501',
    "Rock'n'roll poster",
    'Mens belt',
    'Lamp',
  ];
  const ask = asking(names);
  test.each([
    ['womens coat', "Women's coat"],
    ['women coat', "Women's coat"],
    ["woman's coat", "Women's coat"],
    ['oreal', "L'Oréal shampoo"],
    ['l oreal', "L'Oréal shampoo"],
    ['loreal', "L'Oréal shampoo"],
    ['olive', "Huile d'olive"],
    ["l'olive", "Huile d'olive"],
    ['levis', 'Levi’s 501'],
    ['levi', 'Levi’s 501'],
    ["levi's", 'Levi’s 501'],
    ['rock n roll', "Rock'n'roll poster"],
    ["men's belt", 'Mens belt'],
    ['men belt', 'Mens belt'],
  ])('"%s" finds "%s" alone', (query, name) => {
    expect(ask(query).names).toEqual([name]);
  });
});
