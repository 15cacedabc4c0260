// Renders a merchant's description, which is plain text or HTML, without elements that could run code, load files or
// disguise links.
import { type ComponentChild, h } from 'preact';

const ALLOWED = new Set(
  'P BR UL OL LI B STRONG I EM U S SUB SUP BLOCKQUOTE TABLE THEAD TBODY TR TH TD DL DT DD HR CODE PRE'.split(' '),
);
const HEADINGS = new Set('H1 H2 H3 H4 H5 H6'.split(' '));
const DROPPED = new Set('SCRIPT STYLE TEMPLATE IFRAME OBJECT EMBED SVG MATH FORM INPUT BUTTON NOSCRIPT'.split(' '));
const DEPTH_MAX = 30;

const renderChildren = (parent: Node, depth: number): ComponentChild[] =>
  depth > DEPTH_MAX ? [] : [...parent.childNodes].map((node) => renderNode(node, depth));

const renderNode = (node: Node, depth: number): ComponentChild => {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.tagName.toUpperCase();
  if (DROPPED.has(name)) return null;
  const inner = renderChildren(node, depth + 1);
  if (HEADINGS.has(name)) return h('h3', null, inner);
  if (name === 'A') {
    const address = node.getAttribute('href') ?? '';
    return /^(https?:|mailto:|tel:)/i.test(address)
      ? h('a', { href: address, rel: 'noopener nofollow', target: '_blank' }, inner)
      : inner;
  }
  return ALLOWED.has(name) ? h(name.toLowerCase(), null, inner) : inner;
};

const isHtml = (text: string): boolean => /<\/?[a-z][^>]*>|&[a-z]+;|&#\d+;/i.test(text);

export const RichText = ({ text }: { readonly text: string }) => (
  <div class="text" dir="auto">
    {isHtml(text)
      ? // A document of its own runs nothing and loads nothing.
        renderChildren(new DOMParser().parseFromString(text, 'text/html').body, 0)
      : text
          .split(/\n{2,}/)
          .filter(Boolean)
          .map((paragraph, at) => <p key={at}>{paragraph}</p>)}
  </div>
);
