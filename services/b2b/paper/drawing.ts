// Draws a paper as a PDF: A4, its own fonts in it, the table's head on every page.
import PDFDocument from 'pdfkit';
import { fontsFor } from './font.ts';
import type { Fact, Paper, PaperLine } from './paper.ts';
import { openPen, type PaperPen, type Sheet, SIZE } from './pen.ts';

const MARGIN = 50;
const WIDTH = 495;
const BOTTOM = 770;
const FOOT = 800;
const GAP = 6;
const SOFT = '#666666';

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
  pen: PaperPen,
  facts: readonly Fact[],
  x: number,
  top: number,
  widths: readonly [number, number],
): number => {
  let y = top;
  for (const [label, text] of facts) {
    pen.write(label, x, y, { width: widths[0], colour: SOFT });
    y = pen.write(text, x + widths[0], y, { width: widths[1] }) + 3;
  }
  return y;
};

const drawParties = (pen: PaperPen, parties: Paper['parties'], top: number): number => {
  const width = WIDTH / parties.length;
  let bottom = top;
  for (const [at, { label, lines }] of parties.entries()) {
    const x = MARGIN + at * width;
    const below = pen.write(label, x, top, { width: width - GAP, weight: 'bold' });
    bottom = Math.max(bottom, pen.write(lines.join('\n'), x, below + 2, { width: width - GAP }));
  }
  return bottom;
};

const drawRow = (
  pen: PaperPen,
  columns: readonly Column[],
  texts: readonly string[],
  y: number,
  weight: 'regular' | 'bold' = 'regular',
): number => {
  let x = MARGIN;
  let bottom = y;
  for (const [at, { width, align }] of columns.entries()) {
    bottom = Math.max(bottom, pen.write(texts[at]!, x, y, { width: width - GAP, align, weight }));
    x += width;
  }
  return bottom + 4;
};

const heightOf = (pen: PaperPen, columns: readonly Column[], texts: readonly string[]): number =>
  Math.max(...columns.map(({ width }, at) => pen.heightOf(texts[at]!, { width: width - GAP })));

const drawTable = (doc: Sheet, pen: PaperPen, { lines, currency }: Paper, top: number): number => {
  const columns = columnsOf(currency);
  const labels = columns.map(({ label }) => label);
  const head = (y: number): number => {
    const below = drawRow(pen, columns, labels, y, 'bold');
    rule(doc, below);
    return below + 4;
  };
  let y = head(top);
  for (const line of lines) {
    const texts = columns.map(({ name }) => line[name]);
    if (y + heightOf(pen, columns, texts) > BOTTOM) {
      doc.addPage();
      y = head(MARGIN);
    }
    y = drawRow(pen, columns, texts, y);
  }
  rule(doc, y);
  return y + 8;
};

const drawTotals = (doc: Sheet, pen: PaperPen, totals: Paper['totals'], top: number): void => {
  let y = top;
  if (y + totals.length * 16 > BOTTOM) {
    doc.addPage();
    y = MARGIN;
  }
  for (const [at, [label, text]] of totals.entries()) {
    const weight = at === totals.length - 1 ? 'bold' : 'regular';
    const below = pen.write(label, MARGIN + 200, y, { width: 160 - GAP, align: 'right', weight });
    y = Math.max(below, pen.write(text, MARGIN + 360, y, { width: 135 - GAP, align: 'right', weight })) + 4;
  }
};

const drawFeet = (doc: Sheet, pen: PaperPen, words: string): void => {
  const { count } = doc.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    doc.switchToPage(page);
    // Below the margin, where text would else begin another page.
    doc.page.margins.bottom = 0;
    const style = { width: WIDTH, align: 'center', size: 7, colour: SOFT } as const;
    pen.write(`${words} · page ${page + 1} of ${count}`, MARGIN, FOOT, style);
  }
};

/** All that is written on it but for our own words. */
const textOf = ({ facts, parties, lines }: Paper): string =>
  JSON.stringify([facts, parties.map((party) => party.lines), lines.map(({ description, sku }) => [description, sku])]);

export const drawPaper = async (paper: Paper): Promise<Uint8Array> => {
  const fonts = await fontsFor({ text: textOf(paper), countries: paper.countries });
  const [, number] = paper.facts[0]!;
  const doc = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: `${paper.title} ${number}`, CreationDate: new Date(paper.date) },
  });
  const drawn = new Promise<Uint8Array>((done, fail) => {
    const parts: Buffer[] = [];
    doc.on('data', (part: Buffer) => parts.push(part));
    doc.on('end', () => done(Buffer.concat(parts)));
    doc.on('error', fail);
  });
  const pen = openPen(doc, fonts);
  const title = pen.write(paper.title, MARGIN, MARGIN, { width: WIDTH, weight: 'bold', size: 20 });
  const facts = drawFacts(pen, paper.facts, MARGIN, title + 10, [100, 395]);
  const parties = drawParties(pen, paper.parties, facts + SIZE + 5);
  drawTotals(doc, pen, paper.totals, drawTable(doc, pen, paper, parties + 20));
  drawFeet(doc, pen, `${paper.title} ${number}`);
  doc.end();
  return drawn;
};
