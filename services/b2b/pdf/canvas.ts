// Lays out and draws text of any script and direction on a PDF page.
import type PDFDocument from 'pdfkit';
import type { Fonts, Weight } from './font.ts';
import { BURMESE_FEATURES, type GlyphRun, isBurmese, linesOf, type TextLine } from './line.ts';

export type PdfOutput = InstanceType<typeof PDFDocument>;

export interface Style {
  readonly width: number;
  readonly align?: 'left' | 'right' | 'center';
  readonly weight?: Weight;
  readonly size?: number;
  readonly colour?: string;
}

export interface Canvas {
  write(text: string, x: number, y: number, style: Style): number;
  heightOf(text: string, style: Style): number;
}

export const DEFAULT_SIZE = 9;
/** Line height, and distance of the baseline from a line's top (`ASCENT`), as fractions of the font size. */
const LINE_HEIGHT = 1.17;
const ASCENT = 0.93;
const ALIGNMENT = { left: 0, center: 0.5, right: 1 } as const;

export const openCanvas = (doc: PdfOutput, fonts: Fonts): Canvas => {
  for (const { name, file } of new Set([...fonts.regular, ...fonts.bold])) doc.registerFont(name, file);

  const isShaped = ({ font, text }: GlyphRun): boolean => {
    try {
      doc.font(font).widthOfString(text, {});
      return true;
    } catch {
      return false;
    }
  };

  /**
   * Returns pdfkit's options for a run. Right-to-left runs get an empty feature list, so that pdfkit shapes them as a
   * whole and not word by word from the left. Runs that fontkit cannot shape, because a mark has no anchor, are drawn
   * without mark positioning.
   */
  const optionsOf = (run: GlyphRun): object => {
    if (run.fromRight) return { features: [] };
    if (isBurmese(run.text)) return { features: [...BURMESE_FEATURES] };
    return isShaped(run) ? {} : { features: { abvm: false, blwm: false, mark: false, mkmk: false } };
  };

  const layoutCache = new Map<string, readonly TextLine[]>();

  const layOut = (text: string, { width, weight = 'regular', size = DEFAULT_SIZE }: Style): readonly TextLine[] => {
    const name = JSON.stringify([text, width, weight, size]);
    const before = layoutCache.get(name);
    if (before) return before;
    doc.fontSize(size);
    // Widths already measured, since each further word of a line measures the line's beginning again.
    const widths = new Map<string, number>();
    const measure = (run: GlyphRun): number => {
      const key = `${run.font} ${run.fromRight} ${run.text}`;
      const width = widths.get(key) ?? doc.font(run.font).widthOfString(run.text, optionsOf(run));
      widths.set(key, width);
      return width;
    };
    const lines = linesOf(text, { width, fonts: fonts[weight], measure });
    layoutCache.set(name, lines);
    return lines;
  };

  return {
    write: (text, left, top, style) => {
      const { width, align = 'left', size = DEFAULT_SIZE, colour = '#000000' } = style;
      let y = top;
      for (const line of layOut(text, style)) {
        let x = left + (width - line.width) * ALIGNMENT[align];
        doc.fontSize(size).fillColor(colour);
        for (const run of line.runs) {
          const options = optionsOf(run);
          doc.font(run.font);
          doc.text(run.text, x, y + ASCENT * size, { ...options, lineBreak: false, baseline: 'alphabetic' });
          x += doc.widthOfString(run.text, options);
        }
        y += LINE_HEIGHT * size;
      }
      return y;
    },
    heightOf: (text, style) => layOut(text, style).length * LINE_HEIGHT * (style.size ?? DEFAULT_SIZE),
  };
};
