// Tests the canvas on a real PDF.
import PDFDocument from 'pdfkit';
import { expect, test, vi } from 'vitest';
import { openCanvas } from '#services/b2b/pdf/canvas.ts';
import { fontsFor } from '#services/b2b/pdf/font.ts';

// A document of 500 long lines measures each before writing it.
test('breaks a text into lines only once', async () => {
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

test('keeps text of any script within its width, including characters that no font has', async () => {
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
