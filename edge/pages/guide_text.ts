// Renders a guide's Markdown as HTML: headings with anchors, scrollable tables and code, and links to other guides.
// Escapes HTML in the Markdown.

export interface GuideText {
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

const OPTIONS = {
  headings: { ids: true },
  noHtmlBlocks: true,
  noHtmlSpans: true,
  noIndentedCodeBlocks: true,
} as const;

const FENCE = /^ *```(\w*)(?: +(\S.*))?\n[\s\S]*?^ *```$/gm;
const FILE = /^[\w./-]+\.\w+$/;

const labelsOf = (markdown: string): string[] =>
  [...markdown.matchAll(FENCE)].map(([, language = '', kind = '']) => (FILE.test(kind) ? kind : language));

/** Maps a link such as `payments.md#refunds` to a URL; `name` is empty for links within the guide. */
export type LinkTo = (name: string, anchor: string) => string;

const plainText = (markdown: string): string => Bun.markdown.render(markdown, {}, OPTIONS).trim();

/** `prefix` keeps the anchors of several guides on one page apart. */
export const guideText = (markdown: string, linkTo: LinkTo, prefix = ''): GuideText => {
  const [heading = '', summary = ''] = markdown.split(/\n\n+/, 2);
  const sections: { id: string; title: string }[] = [];
  Bun.markdown.render(
    markdown,
    {
      heading: (title, { level, id }) => {
        if (level === 2 && id) sections.push({ id: prefix + id, title });
        return null;
      },
    },
    OPTIONS,
  );
  const labels = labelsOf(markdown).values();
  const html = new HTMLRewriter()
    .on('h1,h2,h3,h4', {
      element(element) {
        const id = prefix + (element.getAttribute('id') ?? '');
        element.setAttribute('id', id);
        if (element.tagName !== 'h1')
          element.append(` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`, { html: true });
      },
    })
    .on('a[href]', {
      element(element) {
        const found = /^(?:(\w+)\.md)?(?:#(.+))?$/.exec(element.getAttribute('href') ?? '');
        if (found) element.setAttribute('href', linkTo(found[1] ?? '', found[2] ?? ''));
      },
    })
    .on('pre', {
      element(element) {
        element.setAttribute('tabindex', '0');
        const label = labels.next().value ?? '';
        element.before(`<div class="code"><div class="label">${Bun.escapeHTML(label)}</div>`, { html: true });
        element.after('</div>', { html: true });
      },
    })
    .on('td code', {
      text(part) {
        // Allows line breaks within long names, for phones.
        if (part.text !== '') part.replace(part.text.replace(/[_./](?=\w)/g, '$&<wbr>'), { html: true });
      },
    })
    .on('table', {
      element(element) {
        element.before('<div class="table" tabindex="0">', { html: true });
        element.after('</div>', { html: true });
      },
    })
    .transform(Bun.markdown.html(markdown, OPTIONS));
  return { title: plainText(heading), summary: plainText(summary), html, sections };
};
