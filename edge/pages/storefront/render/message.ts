// A page with one sentence, for requests that no screen of the shop answers. Pure.
import type { PageFiles } from '#edge/pages/storefront/setting.ts';
import type { Words } from '#edge/pages/storefront/wording.ts';
import { escaped } from './markup.ts';

interface MessageContext {
  /** Path of the shop's first page. */
  readonly home: string;
  readonly files: PageFiles;
  readonly words: Words;
}

export const messageDocument = (
  sentence: string,
  { home, files, words: { language, text } }: MessageContext,
): string => `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(text('moment'))}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escaped(files.style)}">
</head>
<body>
<main>
<div class="notice">
<h1>${escaped(text('moment'))}</h1>
<p role="alert">${escaped(sentence)}</p>
<a class="go" href="${escaped(home || '/')}">${escaped(text('first_page'))}</a>
</div>
</main>
</body>
</html>
`;
