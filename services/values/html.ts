// Texts that merchants write as HTML or as plain text: their words alone, and their HTML without what could run, load or
// lead elsewhere unseen.
import { Parser } from 'htmlparser2';

const ELEMENTS =
  'a|abbr|address|article|aside|audio|b|big|blockquote|body|br|button|center|cite|code|col|dd|del|details|div|dl|dt|em|embed|' +
  'figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|' +
  'noscript|object|ol|p|picture|pre|q|s|samp|script|section|small|source|span|strike|strong|style|sub|summary|sup|svg|table|' +
  'tbody|td|template|tfoot|th|thead|time|title|tr|tt|u|ul|var|video|wbr';
/** Plain text may hold `<` and `&`: a text is HTML that has a whole tag of an element, a comment or an entity. */
const HTML = new RegExp(`</?(?:${ELEMENTS})(?:[\\s/][^<>]*)?>|<!--|&(?:[a-z][a-z\\d]*|#\\d+|#x[\\da-f]+);`, 'i');

export const isHtml = (text: string): boolean => HTML.test(text);

/** Elements whose content is no text. */
const DROPPED = new Set(
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

/** Passes on tags and texts, those inside of dropped elements apart. */
const read = (html: string, { text, open, close }: Reader): void => {
  let dropped = 0;
  const parser = new Parser(
    {
      ontext: (data) => {
        if (dropped === 0) text(data);
      },
      onopentag: (name, attributes) => {
        if (DROPPED.has(name)) dropped++;
        else if (dropped === 0) open(name, attributes);
      },
      onclosetag: (name) => {
        if (DROPPED.has(name)) dropped--;
        else if (dropped === 0) close(name);
      },
    },
    { decodeEntities: true },
  );
  parser.end(html);
};

/** The words of a text: tags are blanks, entities are what they stand for. A text without either stays as it is. */
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

/** Describes a product for the protocols of agents: by its words and by its clean HTML, if any. Null for an empty text. */
export const describedText = (text: string): { readonly plain: string; readonly html?: string } | null => {
  const plain = plainText(text);
  const html = cleanHtml(text);
  return plain === '' ? null : { plain, ...(html !== null && { html }) };
};

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]!);

/** With what shapes a text, and links that lead to an address that is seen. Null where the text is no HTML. */
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
