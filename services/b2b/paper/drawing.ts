// Draws a paper as a PDF: A4, its own fonts in it, the table's head on every page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import type { Fact, Paper, PaperLine } from './paper.ts';

const MARGIN = 50;
const WIDTH = 495;
const BOTTOM = 770;
const FOOT = 800;
const SIZE = 9;
const GAP = 6;

const { resolve } = createRequire(import.meta.url);
const fontNamed = (name: string): Buffer => readFileSync(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
/** Latin, Greek, Cyrillic, Arabic and the signs of currencies. */
const REGULAR = fontNamed('DejaVuSans');
const BOLD = fontNamed('DejaVuSans-Bold');

interface Column {
  readonly name: keyof PaperLine;
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

type Sheet = InstanceType<typeof PDFDocument>;

const rule = (doc: Sheet, y: number): void => {
  doc
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor('#999999')
    .stroke();
};

/** Labels and texts in two columns; how far down they reach. */
const drawFacts = (
  doc: Sheet,
  facts: readonly Fact[],
  x: number,
  top: number,
  widths: readonly [number, number],
): number => {
  let y = top;
  for (const [label, text] of facts) {
    doc.font('regular').fillColor('#666666').text(label, x, y, { width: widths[0] });
    doc.fillColor('#000000').text(text, x + widths[0], y, { width: widths[1] });
    y = Math.max(doc.y, y + SIZE) + 3;
  }
  return y;
};

const drawParties = (doc: Sheet, parties: Paper['parties'], top: number): number => {
  const width = WIDTH / parties.length;
  let bottom = top;
  for (const [at, { label, lines }] of parties.entries()) {
    const x = MARGIN + at * width;
    doc.font('bold').text(label, x, top, { width: width - GAP });
    doc.font('regular').text(lines.join('\n'), x, doc.y + 2, { width: width - GAP });
    bottom = Math.max(bottom, doc.y);
  }
  return bottom;
};

const drawRow = (doc: Sheet, columns: readonly Column[], texts: readonly string[], y: number): number => {
  let x = MARGIN;
  let bottom = y;
  for (const [at, { width, align }] of columns.entries()) {
    doc.text(texts[at]!, x, y, { width: width - GAP, align });
    bottom = Math.max(bottom, doc.y);
    x += width;
  }
  return bottom + 4;
};

const heightOf = (doc: Sheet, columns: readonly Column[], texts: readonly string[]): number =>
  Math.max(...columns.map(({ width }, at) => doc.heightOfString(texts[at]!, { width: width - GAP })));

const drawTable = (doc: Sheet, { lines, currency }: Paper, top: number): number => {
  const columns = columnsOf(currency);
  const head = (y: number): number => {
    doc.font('bold');
    const below = drawRow(
      doc,
      columns,
      columns.map(({ label }) => label),
      y,
    );
    rule(doc, below);
    doc.font('regular');
    return below + 4;
  };
  let y = head(top);
  for (const line of lines) {
    const texts = columns.map(({ name }) => line[name]);
    if (y + heightOf(doc, columns, texts) > BOTTOM) {
      doc.addPage();
      y = head(MARGIN);
    }
    y = drawRow(doc, columns, texts, y);
  }
  rule(doc, y);
  return y + 8;
};

const drawTotals = (doc: Sheet, totals: Paper['totals'], top: number): void => {
  let y = top;
  if (y + totals.length * 16 > BOTTOM) {
    doc.addPage();
    y = MARGIN;
  }
  for (const [at, [label, text]] of totals.entries()) {
    doc.font(at === totals.length - 1 ? 'bold' : 'regular');
    doc.text(label, MARGIN + 200, y, { width: 160 - GAP, align: 'right' });
    const below = doc.y;
    doc.text(text, MARGIN + 360, y, { width: 135 - GAP, align: 'right' });
    y = Math.max(below, doc.y) + 4;
  }
};

const drawFeet = (doc: Sheet, words: string): void => {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    // Below the margin, where text would else begin another page.
    doc.page.margins.bottom = 0;
    doc.font('regular').fontSize(7).fillColor('#666666');
    doc.text(`${words} · page ${page + 1} of ${count}`, MARGIN, FOOT, { width: WIDTH, align: 'center' });
  }
};

export const drawPaper = (paper: Paper): Promise<Uint8Array> =>
  new Promise((done, fail) => {
    const [, number] = paper.facts[0]!;
    const doc = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      bufferPages: true,
      info: { Title: `${paper.title} ${number}`, CreationDate: new Date(paper.date) },
    });
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => done(Buffer.concat(parts)));
    doc.on('error', fail);
    doc.registerFont('regular', REGULAR);
    doc.registerFont('bold', BOLD);
    doc.font('bold').fontSize(20).text(paper.title, MARGIN, MARGIN);
    doc.fontSize(SIZE);
    const facts = drawFacts(doc, paper.facts, MARGIN, doc.y + 10, [100, 395]);
    const parties = drawParties(doc, paper.parties, facts + 14);
    drawTotals(doc, paper.totals, drawTable(doc, paper, parties + 20));
    drawFeet(doc, `${paper.title} ${number}`);
    doc.end();
  });
