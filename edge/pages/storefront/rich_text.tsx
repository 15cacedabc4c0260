// Renders a merchant's description, which is plain text or HTML.
import { type ComponentChild, h } from 'preact';
import { type HtmlNode, isHtml, readHtml } from './html.ts';

const rendered = (nodes: readonly HtmlNode[]): ComponentChild[] =>
  nodes.map((node) => {
    if (typeof node === 'string') return node;
    const link = node.href === null ? null : { href: node.href, rel: 'noopener nofollow', target: '_blank' };
    return h(node.name, link, rendered(node.children));
  });

export const RichText = ({ text }: { readonly text: string }) => (
  <div class="text" dir="auto">
    {isHtml(text)
      ? rendered(readHtml(text))
      : text
          .split(/\n{2,}/)
          .filter(Boolean)
          .map((paragraph, at) => <p key={at}>{paragraph}</p>)}
  </div>
);
