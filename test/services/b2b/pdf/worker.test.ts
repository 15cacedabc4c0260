// Tests the PDF process: started on demand, replaced after a failure, and never awaited without a limit.
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { PdfContent } from '#services/b2b/pdf/content.ts';
import { openPdfWorker, type PdfWorker } from '#services/b2b/pdf/worker.ts';

const paper = (lines = 1, number = 'INV-1001'): PdfContent => ({
  title: 'Invoice',
  details: [['Invoice number', number]],
  parties: [{ label: 'Seller', lines: ['Kibo Shoes'] }],
  currency: 'USD',
  lines: Array.from({ length: lines }, (_, at) => ({
    description: `Shoe ${at}`,
    sku: '',
    quantity: '1',
    unit_price: '7.50',
    amount: '7.50',
  })),
  totals: [['Amount due', 'USD 7.50']],
  date: '2026-11-23T10:00:00.000Z',
  countries: ['KE'],
});

let printer: PdfWorker | undefined;
afterEach(() => printer?.close());

/** Replaces the PDF process by a script. */
const ofScript = async (script: string): Promise<PdfWorker> => {
  const file = join(tmpdir(), `printer-${crypto.randomUUID()}.ts`);
  await writeFile(file, script);
  printer = openPdfWorker([process.execPath, file]);
  return printer;
};

describe('the PDF worker', () => {
  test('renders equal content to equal bytes, on several pages', async () => {
    printer = openPdfWorker();
    const [one, again, other, long] = await Promise.all([
      printer.render(paper()),
      printer.render(paper()),
      printer.render(paper(1, 'INV-1002')),
      printer.render(paper(500)),
    ]);
    const bytes = (pdf: Uint8Array) => Buffer.from(pdf);
    expect(bytes(one).subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes(one).equals(bytes(again))).toBe(true);
    expect(bytes(one).equals(bytes(other))).toBe(false);
    expect(
      bytes(long)
        .toString('latin1')
        .match(/\/Type \/Page\b/g)!.length,
    ).toBeGreaterThan(10);
  });

  test('fails the document that kills its process and renders the next', async () => {
    const dying = await ofScript(`
      process.on('message', (paper) => {
        if (paper.title === 'Deadly') process.exit(1);
        process.send({ pdf: new TextEncoder().encode(paper.title) });
      });
      process.send('ready');`);
    const [deadly, sound] = await Promise.allSettled([
      dying.render({ ...paper(), title: 'Deadly' }),
      dying.render({ ...paper(), title: 'Sound' }),
    ]);
    expect([deadly.status, sound.status]).toEqual(['rejected', 'fulfilled']);
    expect(deadly).toMatchObject({ reason: { name: 'Unavailable' } });
  });

  test('reports a process that does not start or cannot render', async () => {
    const broken = await ofScript('process.exit(1);');
    await expect(broken.render(paper())).rejects.toMatchObject({ name: 'Unavailable' });
    broken.close();
    const clumsy = await ofScript(`
      process.on('message', () => process.send({ error: 'no ink' }));
      process.send('ready');`);
    await expect(clumsy.render(paper())).rejects.toThrow('no ink');
  });

  test('refuses documents beyond its queue, and all after closing', async () => {
    const slow = await ofScript(`process.on('message', () => {}); process.send('ready');`);
    const asked = Array.from({ length: 50 }, () =>
      slow.render(paper()).then(
        () => 'drawn',
        ({ message }: Error) => message,
      ),
    );
    expect(await asked.at(-1)).toBe('32 PDFs already wait to be rendered.');
    slow.close();
    expect(await asked[0]).toBe('The PDF worker is shutting down.');
    await expect(slow.render(paper())).rejects.toMatchObject({ name: 'Unavailable' });
  });
});
