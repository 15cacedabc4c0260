// Detects the encoding of an export, and reports where it had to guess.
import { describe, expect, test } from 'vitest';
import { decodeSource } from '#services/cli/import/source.ts';

const TEXT = 'Handle,Title\ncafé,Café “Ørsted” €5\n';
const bytes = (...codes: number[]): Uint8Array => Uint8Array.from(codes);
const join = (...parts: Uint8Array[]): Uint8Array => Buffer.concat(parts);
const utf16 = Buffer.from(TEXT, 'utf16le');

describe('a file', () => {
  test.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', join(bytes(0xef, 0xbb, 0xbf), Buffer.from(TEXT))],
    ['UTF-16, little end first', join(bytes(0xff, 0xfe), utf16)],
    ['UTF-16, big end first', join(bytes(0xfe, 0xff), Buffer.from(utf16).swap16())],
  ])('in %s is read as it was written', (_, source) =>
    expect(decodeSource(source)).toEqual({ text: TEXT, problems: [] }),
  );

  test.each([
    ['little end first', utf16],
    ['big end first', Buffer.from(utf16).swap16()],
  ])('in UTF-16 without a mark, %s, is recognised', (_, source) => {
    const ascii =
      source === utf16 ? Buffer.from('Handle,Title\n', 'utf16le') : Buffer.from('Handle,Title\n', 'utf16le').swap16();
    expect(decodeSource(ascii)).toEqual({ text: 'Handle,Title\n', problems: [] });
  });

  test('refuses an empty or binary file with one sentence', () => {
    expect(() => decodeSource(Buffer.from(' \n'))).toThrow('The file is empty.');
    expect(() => decodeSource(bytes(0x50, 0x4b, 3, 4, 0, 0, 0xff))).toThrow('The file is no text');
  });

  test('reads other encodings as spreadsheets save them and reports it', () => {
    const saved = join(Buffer.from('Handle,Title\ncaf'), bytes(0xe9, 0x20, 0x93, 0x80, 0x94, 0x0a));
    const { text, problems } = decodeSource(saved);
    expect(text).toBe('Handle,Title\ncafé “€”\n');
    expect(problems).toEqual([
      expect.objectContaining({ row: null, whole: false, message: expect.stringContaining('Windows-1252') }),
    ]);
  });

  test('cut off in the middle of a letter is not taken for another encoding silently', () => {
    expect(decodeSource(Buffer.from(TEXT).subarray(0, 17)).problems).toHaveLength(1);
  });
});
