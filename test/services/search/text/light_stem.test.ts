// Forms of one word lead to one term, in each language with rules.
import { describe, expect, test } from 'vitest';
import { lightStemOf } from '#services/search/text/light_stem.ts';
import { fold } from '#values/fold.ts';

const FORMS: Readonly<Record<string, readonly string[]>> = {
  de: [
    'Becher Bechern Bechers',
    'Tasse Tassen',
    'Kanne Kannen',
    'Decke Decken',
    'Schale Schalen',
    'Korb Korbes',
    'rot rote roten roter rotes',
    'Lehrerin Lehrerinnen',
  ],
  fr: [
    'tasse tasses',
    'bateau bateaux',
    'chaud chaude chauds chaudes',
    'animal animaux',
    'vendeur vendeuse vendeuses',
    'actif active actives',
    'premier première premières',
  ],
  es: ['taza tazas', 'zapato zapatos', 'camión camiones', 'luz luces', 'rojo roja rojos rojas', 'clase clases'],
  it: ['tazza tazze', 'bicchiere bicchieri', 'amica amiche', 'rosso rossa rossi rosse'],
  pt: [
    'caneca canecas',
    'limão limões',
    'papel papéis',
    'flor flores',
    'homem homens',
    'vermelho vermelha vermelhos vermelhas',
  ],
  nl: ['beker bekers', 'kan kannen', 'schaal schalen', 'tas tassen', 'kopje kopjes', 'rood rode'],
  sv: ['mugg muggar muggen muggarna', 'kopp koppar koppen', 'flicka flickor flickorna', 'röd röda'],
};

describe.each(Object.entries(FORMS))('in %s', (language, words) => {
  const stem = lightStemOf(language)!;

  test.each(words)('maps %s to one term', (forms) => {
    expect(new Set(forms.split(' ').map((form) => stem(fold(form)))).size).toBe(1);
  });

  test('gives different nouns different terms', () => {
    const stems = words.map((forms) => stem(fold(forms.split(' ')[0]!)));
    expect(new Set(stems).size).toBe(words.length);
  });

  test.each(['ab', 'tas', 'x', ''])('leaves the short word %j', (word) => {
    expect(stem(word)).toBe(word);
  });
});

test.each(['en', 'sw', 'ja', 'constructor', '__proto__'])('returns null for %s', (language) => {
  expect(lightStemOf(language)).toBeNull();
});
