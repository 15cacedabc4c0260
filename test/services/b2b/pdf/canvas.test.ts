// A pen on a real sheet.
import PDFDocument from 'pdfkit';
import { expect, test, vi } from 'vitest';
import { openCanvas } from '#services/b2b/pdf/canvas.ts';
import { fontsFor } from '#services/b2b/pdf/font.ts';

// A paper of 500 long lines asks of each how tall it is, then writes it.
test('a text is broken into lines once, however often it is asked for', async () => {
  const text = Array.from({ length: 90 }, (_, at) => `word${at}`).join(' ');
  const doc = new PDFDocument();
  const canvas = openCanvas(doc, await fontsFor({ text, countries: [] }));
  const measured = vi.spyOn(doc, 'widthOfString');
  const height = canvas.heightOf(text, { width: 194 });
  const asked = measured.mock.calls.length;
  expect(canvas.write(text, 0, 0, { width: 194 })).toBeCloseTo(height);
  expect(measured.mock.calls.length - asked).toBeLessThan(asked);
  doc.end();
});

test('a text stays within its width whatever its script, and characters that no font has measure what they draw', async () => {
  const texts = ['กาแฟคั่วบดจากเชียงใหม่ถุงหนึ่งกิโลกรัม', 'ਪੰਜਾਬੀ ਅੰਮ੍ਰਿਤਸਰ', 'မြန်မာကော်ဖီ', '𝈀𝈁𝈂𝈃𝈄𝈅𝈆𝈇𝈈𝈉𝈊𝈋𝈌𝈍𝈎𝈏𝈐𝈑𝈒'];
  const doc = new PDFDocument();
  const canvas = openCanvas(doc, await fontsFor({ text: texts.join(), countries: [] }));
  const drawn = vi.spyOn(doc, 'text');
  for (const text of texts) canvas.write(text, 10, 10, { width: 80 });
  for (const [text, x] of drawn.mock.calls as unknown as [string, number][]) {
    expect(text).not.toContain('𝈀');
    expect(x).toBeLessThan(90);
  }
  expect(canvas.heightOf(texts[3]!, { width: 80 })).toBeGreaterThan(canvas.heightOf('plain', { width: 80 }));
  doc.end();
});
