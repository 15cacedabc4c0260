// Writes on a sheet, in whichever scripts and from whichever side.
import type PDFDocument from 'pdfkit';
import { BURMESE_FEATURES, isBurmese } from './burmese.ts';
import type { Fonts, Weight } from './font.ts';
import { linesOf, type PaperLine, type PaperRun } from './line.ts';

export type Sheet = InstanceType<typeof PDFDocument>;

export interface Style {
  readonly width: number;
  readonly align?: 'left' | 'right' | 'center';
  readonly weight?: Weight;
  readonly size?: number;
  readonly colour?: string;
}

export interface PaperPen {
  /** How far down it reaches. */
  write(text: string, x: number, y: number, style: Style): number;
  heightOf(text: string, style: Style): number;
}

export const SIZE = 9;
/** Of the font's size: from one line to the next, and from its top to the feet of its letters. */
const LINE = 1.17;
const ASCENT = 0.93;
/** How much of what is free beside a line stands before it. */
const SHARE = { left: 0, center: 0.5, right: 1 } as const;

export const openPen = (doc: Sheet, fonts: Fonts): PaperPen => {
  for (const { name, file } of new Set([...fonts.regular, ...fonts.bold])) doc.registerFont(name, file);

  const isShaped = ({ font, text }: PaperRun): boolean => {
    try {
      doc.font(font).widthOfString(text, {});
      return true;
    } catch {
      return false;
    }
  };

  /**
   * A run that is read from the right is shaped as a whole: word by word it would be put together from the left. fontkit throws
   * at a mark for which a font has no anchor: such a run is set with its marks where they come.
   */
  const optionsOf = (run: PaperRun): object => {
    if (run.fromRight) return { features: [] };
    if (isBurmese(run.text)) return { features: [...BURMESE_FEATURES] };
    return isShaped(run) ? {} : { features: { abvm: false, blwm: false, mark: false, mkmk: false } };
  };

  /** How tall a text is is asked before it is written. */
  const known = new Map<string, readonly PaperLine[]>();

  const set = (text: string, { width, weight = 'regular', size = SIZE }: Style): readonly PaperLine[] => {
    const name = JSON.stringify([text, width, weight, size]);
    const before = known.get(name);
    if (before) return before;
    doc.fontSize(size);
    // A line is tried with one word more each time: what it began with is as wide as before.
    const widths = new Map<string, number>();
    const measure = (run: PaperRun): number => {
      const key = `${run.font} ${run.fromRight} ${run.text}`;
      const width = widths.get(key) ?? doc.font(run.font).widthOfString(run.text, optionsOf(run));
      widths.set(key, width);
      return width;
    };
    const lines = linesOf(text, { width, fonts: fonts[weight], measure });
    known.set(name, lines);
    return lines;
  };

  return {
    write: (text, left, top, style) => {
      const { width, align = 'left', size = SIZE, colour = '#000000' } = style;
      let y = top;
      for (const line of set(text, style)) {
        let x = left + (width - line.width) * SHARE[align];
        doc.fontSize(size).fillColor(colour);
        for (const run of line.runs) {
          const options = optionsOf(run);
          doc.font(run.font);
          doc.text(run.text, x, y + ASCENT * size, { ...options, lineBreak: false, baseline: 'alphabetic' });
          x += doc.widthOfString(run.text, options);
        }
        y += LINE * size;
      }
      return y;
    },
    heightOf: (text, style) => set(text, style).length * LINE * (style.size ?? SIZE),
  };
};
