// The template language of merchants: results, escaping, and hostile templates, which end with an error at their line.
import { describe, expect, test } from 'vitest';
import { openTemplateEngine, TemplateError, type TemplateValues } from '#services/mail/template/engine.ts';
import { escapeHtml } from '#services/mail/template/layout.ts';

const engine = openTemplateEngine({ greeting: 'Hello {{ name }}!' }, escapeHtml);
const VALUES: TemplateValues = { name: '<Ada>', none: null, items: [{ name: 'A' }, { name: 'B' }], count: 2 };

const render = (source: string, strict = false): string | TemplateError => {
  const compiled = engine.compile(source);
  return compiled instanceof TemplateError ? compiled : compiled.render(VALUES, { strict });
};
const errorOf = (source: string, strict = false): [number, string] => {
  const rendered = render(source, strict);
  if (!(rendered instanceof TemplateError)) throw new Error(`rendered ${rendered.slice(0, 100)}`);
  return [rendered.line, rendered.reason];
};

test.each([
  ['{{ name }}', '&lt;Ada&gt;'],
  ['{{ name | escape }}', '&lt;Ada&gt;'],
  ['{{ name | upcase }}', '&lt;ADA&gt;'],
  ['{% for item in items %}{{ item.name }},{% endfor %}', 'A,B,'],
  ['{% if none %}a{% else %}b{% endif %}', 'b'],
  ["{% render 'greeting', name: name %}", 'Hello &lt;Ada&gt;!'],
  ['{{ none }}{{ missing }}{{ name.missing }}', ''],
  ['{% assign a = "<i>" %}{% capture b %}{{ a }}{% endcapture %}{{ a }}', '&lt;i&gt;'],
  ['{{ count | times: 2 | plus: 1 }}', '5'],
])('renders %s as %s', (source, expected) => expect(render(source)).toBe(expected));

test.each([
  ['a\n\n{% if %}', 3, 'invalid value expression: ""'],
  ['a\n{{ name | nothing }}', 2, 'undefined filter: nothing'],
  ['a\n\n\n{{ name', 4, 'output "{{ name" not closed'],
  ['{% for item in items %}', 1, 'tag {% for item in items %} not closed'],
  ['a\n{% nothing %}', 2, 'tag "nothing" not found'],
])('refuses %j with its line', (source, line, reason) => expect(errorOf(source)).toEqual([line, reason]));

test('a strict rendering reports the line of a variable that does not exist', () => {
  expect(errorOf('{{ name }}\n{{ nmae }}', true)).toEqual([2, 'undefined variable: nmae']);
  expect(render('{% if nmae %}a{% endif %}', true)).toBe('');
});

describe('a hostile template', () => {
  test.each(['include', 'layout', 'block', 'liquid', 'echo', 'increment', 'tablerow'])(
    'cannot use the tag %s',
    (tag) => {
      expect(errorOf(`{% ${tag} 'greeting' %}`)[1]).toBe(`tag "${tag}" not found`);
    },
  );

  test.each(['raw', 'json', 'inspect', 'where_exp', 'map', 'date', 'sha256', 'base64_decode', 'strip_html', 'sort'])(
    'cannot use the filter %s',
    (filter) => {
      expect(errorOf(`{{ name | ${filter} }}`)[1]).toBe(`undefined filter: ${filter}`);
    },
  );

  test.each([
    'name.constructor',
    'name.__proto__',
    'items.constructor.constructor',
    'items[0].constructor',
    'items.map',
    'globalThis',
    'process.env',
  ])('reads nothing at %s', (path) => {
    expect(render(`{{ ${path} }}`)).toBe('');
  });

  test.each(["{% render '../../package.json' %}", "{% render '/etc/passwd' %}", '{% render name %}'])(
    'reads no file by %s',
    (source) => expect(render(source)).toBeInstanceOf(TemplateError),
  );

  test.each([
    [
      'many rounds',
      '{% for a in (1..9000) %}{% for b in (1..9000) %}{% for c in (1..9000) %}{% endfor %}{% endfor %}{% endfor %}',
    ],
    ['a long list', '{% for a in (1..1000000000) %}{% endfor %}'],
    [
      'a text that doubles',
      `{% assign s = 'aaaaaaaa' %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}`,
    ],
    [
      'a capture that doubles',
      `{% assign s = 'aaaaaaaa' %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(60)}{{ s }}`,
    ],
    ['much output', `{% for a in (1..9000) %}${'x'.repeat(9_000)}{% endfor %}`],
    ['deep nesting', `${'{% if name %}'.repeat(20_000)}`],
    ['a long source', 'x'.repeat(100_001)],
  ])('ends with an error after %s', (_what, source) => {
    const [line, reason] = errorOf(source);
    expect(line).toBe(1);
    expect(reason.length).toBeGreaterThan(0);
    expect(reason.length).toBeLessThan(200);
  });

  test('changes neither the values nor later renderings', () => {
    render("{% assign name = 'Eve' %}{{ name }}");
    expect(render('{{ name }}')).toBe('&lt;Ada&gt;');
    expect(VALUES.name).toBe('<Ada>');
  });
});
