// Turns the Markdown of policies into HTML: headings, lists, paragraphs, links, bold and italic text. Pure.

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const inline = (text: string): string =>
  escaped(text)
    .replace(/\[([^[\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replace(/(^|[\s(])[*_]([^*_]+)[*_](?=[\s).,;:!?]|$)/g, '$1<i>$2</i>');

const BULLET = /^\s*[-*+]\s+/;
const NUMBER = /^\s*\d+[.)]\s+/;

const listOf = (name: 'ul' | 'ol', mark: RegExp, lines: readonly string[]): string =>
  `<${name}>${lines.map((line) => `<li>${inline(line.replace(mark, ''))}</li>`).join('')}</${name}>`;

const blockOf = (block: string): string => {
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const heading = /^#{1,6}\s+(\S.*)?$/.exec(first);
  if (heading) return `<h3>${inline(heading[1]!)}</h3>${lines.length > 1 ? blockOf(lines.slice(1).join('\n')) : ''}`;
  if (lines.every((line) => BULLET.test(line))) return listOf('ul', BULLET, lines);
  if (lines.every((line) => NUMBER.test(line))) return listOf('ol', NUMBER, lines);
  return `<p>${lines.map(inline).join(' ')}</p>`;
};

export const markdownHtml = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== '')
    .map(blockOf)
    .join('');
