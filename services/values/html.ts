// Reads merchants' texts, which are HTML or plain: extracts their words, or removes scripts, embedded content and links
// with hidden schemes.
import { Parser } from 'htmlparser2';

const ELEMENTS =
  'a|abbr|address|article|aside|audio|b|big|blockquote|body|br|button|center|cite|code|col|dd|del|details|div|dl|dt|em|embed|' +
  'figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|' +
  'noscript|object|ol|p|picture|pre|q|s|samp|script|section|small|source|span|strike|strong|style|sub|summary|sup|svg|table|' +
  'tbody|td|template|tfoot|th|thead|time|title|tr|tt|u|ul|var|video|wbr';
/**
 * Detects HTML by a complete tag of a known element, a comment or an entity, since plain text may contain `<` and `&`.
 */
const HTML = new RegExp(`</?(?:${ELEMENTS})(?:[\\s/][^<>]*)?>|<!--|&(?:[a-z][a-z\\d]*|#\\d+|#x[\\da-f]+);`, 'i');

export const isHtml = (text: string): boolean => HTML.test(text);

const DROPPED_ELEMENTS = new Set(
  'script style template iframe object embed svg math form input button select textarea noscript head title'.split(' '),
);
const SHAPING = new Set(
  'p br ul ol li b strong i em u s sub sup blockquote table thead tbody tr th td dl dt dd hr code pre h1 h2 h3 h4 h5 h6 a'.split(
    ' ',
  ),
);
const VOID = new Set(['br', 'hr']);
const ADDRESS = /^(?:https?:|mailto:|tel:)/i;

interface Reader {
  readonly text: (text: string) => void;
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close: (name: string) => void;
}

const read = (html: string, { text, open, close }: Reader): void => {
  let dropped = 0;
  const parser = new Parser(
    {
      ontext: (data) => {
        if (dropped === 0) text(data);
      },
      onopentag: (name, attributes) => {
        if (DROPPED_ELEMENTS.has(name)) dropped++;
        else if (dropped === 0) open(name, attributes);
      },
      onclosetag: (name) => {
        if (DROPPED_ELEMENTS.has(name)) dropped--;
        else if (dropped === 0) close(name);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
};

export const plainText = (text: string): string => {
  if (!isHtml(text)) return text;
  let plain = '';
  const blank = (): void => {
    plain += ' ';
  };
  read(text, {
    text: (data) => {
      plain += data;
    },
    open: blank,
    close: blank,
  });
  return plain
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(/ (?=[,;:.!?](?:\s|$))/g, '')
    .trim();
};

export const describedText = (text: string): { readonly plain: string; readonly html?: string } | null => {
  const plain = plainText(text);
  const html = cleanHtml(text);
  return plain === '' ? null : { plain, ...(html !== null && { html }) };
};

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]!);

/** Returns the HTML with formatting and safe links only; null for plain text. */
export const cleanHtml = (text: string): string | null => {
  if (!isHtml(text)) return null;
  let html = '';
  read(text, {
    text: (data) => {
      html += escaped(data);
    },
    open: (name, { href = '' }) => {
      if (!SHAPING.has(name)) return;
      const address = name === 'a' && ADDRESS.test(href) ? ` href="${escaped(href)}" rel="noopener nofollow"` : '';
      html += `<${name}${address}>`;
    },
    close: (name) => {
      if (SHAPING.has(name) && !VOID.has(name)) html += `</${name}>`;
    },
  });
  return html.trim();
};
