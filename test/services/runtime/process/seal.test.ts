// Secrets at rest: they open only whole, in their place, under their key.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { constantTimeEqual, decodeBase64, openSeal, sha256 } from '#runtime/process/seal.ts';

const keyText = (): string => randomBytes(32).toString('base64');

describe('sealing', () => {
  const seal = openSeal(keyText());

  test('gives back any text and any bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array(), (text, bytes) => {
        expect(seal.open(seal.close(text))).toBe(text);
        expect(Buffer.from(seal.openBytes(seal.close(bytes)))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('seals equal texts differently and does not reveal them', () => {
    const [one, two] = [seal.close('svc_hmac_secret'), seal.close('svc_hmac_secret')];
    expect(Buffer.from(one).equals(Buffer.from(two))).toBe(false);
    expect(Buffer.from(one).toString('latin1')).not.toContain('hmac');
  });

  test('a change of any single bit is found', () => {
    const sealed = seal.close('text', 'place');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => seal.open(changed, 'place'), `bit ${bit}`).toThrow();
    }
  });

  test.each([
    ['nothing', 0],
    ['a head alone', 30],
    ['all but its last byte', 33],
  ])('%s does not open', (_, length) => {
    expect(() => seal.open(seal.close('text').subarray(0, length), undefined)).toThrow();
  });

  test('opens only with the context that it was sealed for', () => {
    const sealed = seal.close('text', 'store/1');
    expect(seal.open(sealed, 'store/1')).toBe('text');
    for (const place of ['store/2', '', undefined]) expect(() => seal.open(sealed, place)).toThrow('do not open');
  });
});

describe('the master key', () => {
  test('can be changed: the first one seals, all of them open', () => {
    const [old, fresh] = [keyText(), keyText()];
    const sealed = openSeal(old).close('text');
    expect(() => openSeal(fresh).open(sealed)).toThrow('another master key');
    const both = openSeal(`${fresh},${old}`);
    expect(both.open(sealed)).toBe('text');
    expect(openSeal(fresh).open(both.close('new'))).toBe('new');
  });

  test('two keys of one id are told apart by trying both', () => {
    // The id is one byte: among 400 keys some share theirs.
    const keys = Array.from({ length: 400 }, keyText);
    const seals = openSeal(keys.join(','));
    for (const key of keys) expect(seals.open(openSeal(key).close('text'))).toBe('text');
  });

  test.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is short', randomBytes(31).toString('base64')],
    ['is long', randomBytes(33).toString('base64')],
    ['is hex', randomBytes(32).toString('hex')],
    ['has another spelling of the same bytes', `${Buffer.alloc(32).toString('base64').slice(0, -2)}B=`],
    ['has url letters', `${'_'.repeat(43)}=`],
    ['has garbage that a lenient reader skips', `${keyText().slice(0, 20)}\n${keyText().slice(20)}`],
  ])('that %s is refused by name and not shown', (_, text) => {
    const open = (): unknown => openSeal(text);
    expect(open).toThrow('STOA_MASTER_KEY');
    if (text)
      expect(() => {
        try {
          open();
        } catch (problem) {
          expect((problem as Error).message).not.toContain(text.slice(0, 12));
          throw problem;
        }
      }).toThrow();
  });
});

describe('base64', () => {
  test('any bytes go through', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test.each(['QQ', 'QQ=', 'QR==', 'Q===', '====', 'QQ==\n', ' QQ==', 'Q-_A', 'QQ==QQ==', 'Qé=='])(
    '%j is none',
    (text) => {
      expect(decodeBase64(text)).toBeNull();
    },
  );
});

describe('comparing', () => {
  test.each([
    ['', '', true],
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    ['', 'a', false],
    ['é', 'é', true],
    ['é', 'e', false],
  ])('%j with %j is %j', (a, b, equal) => {
    expect(constantTimeEqual(a, b)).toBe(equal);
    expect(constantTimeEqual(Buffer.from(a), b)).toBe(equal);
  });
});

test('sha256 is the known one', () => {
  expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('keys that change while a process runs', () => {
  const idOf = (key: string): number => openSeal(key).currentKeyId!;
  const old = keyText();
  const fresh = (): string => {
    for (;;) {
      const key = keyText();
      if (idOf(key) !== idOf(old)) return key;
    }
  };

  test('opens what another process sealed under a key that came later, without being told', () => {
    const next = fresh();
    let text = old;
    const seal = openSeal(text, () => text);
    const before = seal.close('before');
    text = `${next},${old}\n`;
    const others = openSeal(next).close('of another process');
    expect(seal.currentKeyId).toBe(idOf(old));
    expect([seal.open(others), seal.open(before)]).toEqual(['of another process', 'before']);
    expect([seal.isRotating, seal.currentKeyId]).toEqual([true, idOf(next)]);
  });

  test('seals under the new key from the refresh on, and drops the old one', () => {
    const next = fresh();
    let text = old;
    const seal = openSeal(text, () => text);
    const before = seal.close('before');
    text = next;
    seal.refresh();
    expect(openSeal(next).open(seal.close('after'))).toBe('after');
    expect(() => seal.open(before)).toThrow('another master key');
  });

  test.each(['', 'no key', `${old},`])('keeps its keys where the file says "%s"', (written) => {
    let text = old;
    const seal = openSeal(text, () => text);
    text = written;
    expect(() => seal.refresh()).toThrow('STOA_MASTER_KEY');
    expect(openSeal(old).open(seal.close('still'))).toBe('still');
  });
});
