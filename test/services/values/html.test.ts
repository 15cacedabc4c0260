// Extracts words and clean HTML from merchants' texts.
import { describe, expect, test } from 'vitest';
import { cleanHtml, plainText } from '#values/html.ts';

describe('words of a text', () => {
  test.each([
    ['<p class="lead"><strong>Care:</strong> wash</p>', 'Care: wash'],
    ['<ul><li>Oak</li><li>Brass</li></ul>', 'Oak Brass'],
    ['Salt &amp; pepper &ndash; 5&nbsp;g, caf&eacute; &#8364;3 &#x2713;', 'Salt & pepper – 5 g, café €3 ✓'],
    ['one<br>two<br/>three', 'one two three'],
    ['<style>p { color: red }</style>Bowl<script>alert("x")</script>', 'Bowl'],
    ['<!-- draft -->Bowl', 'Bowl'],
    ['<a title="a > b" href="x">Bowl</a>', 'Bowl'],
    ['<p>not closed <b>at all', 'not closed at all'],
    ['&lt;b&gt; is a tag', '<b> is a tag'],
    ['<b>Safe</b>, dry.', 'Safe, dry.'],
    // No markup.
    ['Up to 3 m, 5 < 6 & a<b\n\nSecond paragraph', 'Up to 3 m, 5 < 6 & a<b\n\nSecond paragraph'],
    ['Light <and> strong & "quick"', 'Light <and> strong & "quick"'],
    ['', ''],
  ])('"%s" are "%s"', (text, words) => {
    expect(plainText(text)).toBe(words);
  });

  test('come out of broken markup of any length', () => {
    for (const part of ['<', '<a ', '<a "', '<!--', '<script>', '&#', '&a', '<p>'.repeat(3)])
      expect(plainText(`${part.repeat(20_000)}<b>end</b>`).length).toBeLessThan(200_000);
  });
});

describe('clean HTML', () => {
  test.each([
    ['<p class="lead" onclick="x()">Wash</p>', '<p>Wash</p>'],
    ['<div><h2>Care</h2><img src="x" onerror="x()">Wash</div>', '<h2>Care</h2>Wash'],
    ['<script>alert(1)</script><b>Bowl', '<b>Bowl</b>'],
    ['<a href="javascript:alert(1)">here</a>', '<a>here</a>'],
    [
      '<a href="https://shop.example/?a=1&b=2">here</a>',
      '<a href="https://shop.example/?a=1&amp;b=2" rel="noopener nofollow">here</a>',
    ],
    ['1 &lt; 2<br>&amp;', '1 &lt; 2<br>&amp;'],
    ['no markup', null],
  ])('of %s is %s', (text, html) => {
    expect(cleanHtml(text)).toBe(html);
  });
});
