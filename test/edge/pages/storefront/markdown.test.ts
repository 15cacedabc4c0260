// Policies in Markdown become HTML without elements of their own.
import { expect, test } from 'vitest';
import { markdownHtml } from '#edge/pages/storefront/markdown.ts';

test.each([
  ['## Returns\nWithin **30** days.', '<h3>Returns</h3><p>Within <b>30</b> days.</p>'],
  ['- one\n- two', '<ul><li>one</li><li>two</li></ul>'],
  ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
  ['See [the page](https://x.example/a?b=1&c).', '<p>See <a href="https://x.example/a?b=1&amp;c">the page</a>.</p>'],
  ['<script>run()</script>', '<p>&lt;script&gt;run()&lt;/script&gt;</p>'],
  ['one\r\n\r\n\r\ntwo', '<p>one</p><p>two</p>'],
  ['A *good* day_of_rest', '<p>A <i>good</i> day_of_rest</p>'],
])('writes %o', (text, html) => expect(markdownHtml(text)).toBe(html));
