// Draws an invoice's content as an A4 PDF with embedded fonts and the table head on every page.
import PDFDocument from 'pdfkit';
import { type Canvas, DEFAULT_SIZE, openCanvas, type PdfOutput } from './canvas.ts';
import type { ContentRow, LabelledText, PdfContent } from './content.ts';
import { fontsFor } from './font.ts';

const MARGIN = 50;
const WIDTH = 495;
const BOTTOM_Y = 770;
const FOOTER_Y = 800;
const GAP = 6;
const GREY = '#666666';

interface Column {
  readonly name: keyof ContentRow;
  readonly label: string;
  readonly width: number;
  readonly align: 'left' | 'right';
}

const columnsOf = (currency: string): readonly Column[] => [
  { name: 'description', label: 'Description', width: 200, align: 'left' },
  { name: 'sku', label: 'SKU', width: 85, align: 'left' },
  { name: 'quantity', label: 'Quantity', width: 55, align: 'right' },
  { name: 'unit_price', label: `Unit price`, width: 70, align: 'right' },
  { name: 'amount', label: `Amount ${currency}`, width: 85, align: 'right' },
];

const rule = (doc: PdfOutput, y: number): void => {
  doc
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor('#999999')
    .stroke();
};

const drawFacts = (
  canvas: Canvas,
  facts: readonly LabelledText[],
  x: number,
  top: number,
  widths: readonly [number, number],
): number => {
  let y = top;
  for (const [label, text] of facts) {
    canvas.write(label, x, y, { width: widths[0], colour: GREY });
    y = canvas.write(text, x + widths[0], y, { width: widths[1] }) + 3;
  }
  return y;
};

const drawParties = (canvas: Canvas, parties: PdfContent['parties'], top: number): number => {
  const width = WIDTH / parties.length;
  let bottom = top;
  for (const [at, { label, lines }] of parties.entries()) {
    const x = MARGIN + at * width;
    const below = canvas.write(label, x, top, { width: width - GAP, weight: 'bold' });
    bottom = Math.max(bottom, canvas.write(lines.join('\n'), x, below + 2, { width: width - GAP }));
  }
  return bottom;
};

const drawRow = (
  canvas: Canvas,
  columns: readonly Column[],
  texts: readonly string[],
  y: number,
  weight: 'regular' | 'bold' = 'regular',
): number => {
  let x = MARGIN;
  let bottom = y;
  for (const [at, { width, align }] of columns.entries()) {
    bottom = Math.max(bottom, canvas.write(texts[at]!, x, y, { width: width - GAP, align, weight }));
    x += width;
  }
  return bottom + 4;
};

const heightOf = (canvas: Canvas, columns: readonly Column[], texts: readonly string[]): number =>
  Math.max(...columns.map(({ width }, at) => canvas.heightOf(texts[at]!, { width: width - GAP })));

const drawTable = (doc: PdfOutput, canvas: Canvas, { lines, currency }: PdfContent, top: number): number => {
  const columns = columnsOf(currency);
  const labels = columns.map(({ label }) => label);
  const head = (y: number): number => {
    const below = drawRow(canvas, columns, labels, y, 'bold');
    rule(doc, below);
    return below + 4;
  };
  let y = head(top);
  for (const line of lines) {
    const texts = columns.map(({ name }) => line[name]);
    if (y + heightOf(canvas, columns, texts) > BOTTOM_Y) {
      doc.addPage();
      y = head(MARGIN);
    }
    y = drawRow(canvas, columns, texts, y);
  }
  rule(doc, y);
  return y + 8;
};

const drawTotals = (doc: PdfOutput, canvas: Canvas, totals: PdfContent['totals'], top: number): void => {
  let y = top;
  if (y + totals.length * 16 > BOTTOM_Y) {
    doc.addPage();
    y = MARGIN;
  }
  for (const [at, [label, text]] of totals.entries()) {
    const weight = at === totals.length - 1 ? 'bold' : 'regular';
    const below = canvas.write(label, MARGIN + 200, y, { width: 160 - GAP, align: 'right', weight });
    y = Math.max(below, canvas.write(text, MARGIN + 360, y, { width: 135 - GAP, align: 'right', weight })) + 4;
  }
};

const drawFooters = (doc: PdfOutput, canvas: Canvas, words: string): void => {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    // Removes the margin, since text below it would start another page.
    doc.page.margins.bottom = 0;
    const style = { width: WIDTH, align: 'center', size: 7, colour: GREY } as const;
    canvas.write(`${words} · page ${page + 1} of ${count}`, MARGIN, FOOTER_Y, style);
  }
};

const textOf = ({ details, parties, lines }: PdfContent): string =>
  JSON.stringify([
    details,
    parties.map((party) => party.lines),
    lines.map(({ description, sku }) => [description, sku]),
  ]);

export const renderPdf = async (content: PdfContent): Promise<Uint8Array> => {
  const fonts = await fontsFor({ text: textOf(content), countries: content.countries });
  const [, number] = content.details[0]!;
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: `${content.title} ${number}`, CreationDate: new Date(content.date) },
  });
  const drawn = new Promise<Uint8Array>((done, fail) => {
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => done(Buffer.concat(parts)));
    doc.on('error', fail);
  });
  const canvas = openCanvas(doc, fonts);
  const title = canvas.write(content.title, MARGIN, MARGIN, { width: WIDTH, weight: 'bold', size: 20 });
  const facts = drawFacts(canvas, content.details, MARGIN, title + 10, [100, 395]);
  const parties = drawParties(canvas, content.parties, facts + DEFAULT_SIZE + 5);
  drawTotals(doc, canvas, content.totals, drawTable(doc, canvas, content, parties + 20));
  drawFooters(doc, canvas, `${content.title} ${number}`);
  doc.end();
  return drawn;
};
