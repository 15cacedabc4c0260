// A merchant's HTML becomes a tree of harmless elements, and plain words.
import { expect, test } from 'vitest';
import { type HtmlNode, plainText, readHtml } from '#edge/pages/storefront/html.ts';

const written = (nodes: readonly HtmlNode[]): string =>
  nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const link = node.href === null ? '' : ` href=${node.href}`;
      return `<${node.name}${link}>${written(node.children)}</${node.name}>`;
    })
    .join('');

test.each([
  ['<p>Holds <b>tea</b>.</p>', '<p>Holds <b>tea</b>.</p>'],
  ['<p>one<p>two', '<p>one</p><p>two</p>'],
  ['<ul><li>one<li>two</ul>', '<ul><li>one</li><li>two</li></ul>'],
  ['<H1 onclick="x()">Care</H1>', '<h3>Care</h3>'],
  ['Tea &amp; caf&#233; &#x2014; &unknown; &#0;', 'Tea & café — &unknown; '],
  ['<a href="https://x.example/?a=1&amp;b">x</a>', '<a href=https://x.example/?a=1&b>x</a>'],
  ['<div><span>kept</span></div>', 'kept'],
  ['a < b and <3', 'a < b and <3'],
  ['</p></div>x', 'x'],
])('reads %s', (text, expected) => expect(written(readHtml(text))).toBe(expected));

test.each([
  '<script>run()</script>',
  '<SCRIPT src=x></SCRIPT >',
  '<style>p{}</style>',
  '<img src=x onerror=run()>',
  '<iframe src="https://x.example">in</iframe>',
  '<!-- <b>hidden</b> -->',
  '<svg><script>run()</script></svg>',
  '<script>never closed',
])('drops %s', (text) => expect(written(readHtml(text))).toBe(''));

test.each(['javascript:run()', ' JavaScript:run()', 'java&#115;cript:run()', 'data:text/html,x', '//x.example'])(
  'drops a link to %s and keeps its words',
  (address) => expect(written(readHtml(`<a href="${address}">here</a>`))).toBe('here'),
);

test('bounds the depth of the tree', () => {
  const depth = (nodes: readonly HtmlNode[]): number =>
    Math.max(0, ...nodes.map((node) => (typeof node === 'string' ? 0 : 1 + depth(node.children))));
  expect(depth(readHtml('<b>'.repeat(5_000)))).toBeLessThan(40);
});

test('takes the words of a text that may be HTML', () => {
  expect(plainText('<p>Holds <b>tea</b>.</p><p>And milk</p>')).toBe('Holds tea. And milk');
  expect(plainText(' plain\n text ')).toBe('plain text');
});
