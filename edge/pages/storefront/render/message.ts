// A page with one sentence, for requests that no screen of the shop answers. Pure.
import type { PageFiles } from '#edge/pages/storefront/setting.ts';
import { escaped } from './markup.ts';

interface MessageContext {
  readonly base: string;
  readonly files: PageFiles;
}

export const messageDocument = (text: string, { base, files }: MessageContext): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Just a moment</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escaped(files.style)}">
</head>
<body>
<main>
<div class="notice">
<h1>Just a moment</h1>
<p role="alert">${escaped(text)}</p>
<a class="go" href="${escaped(base || '/')}">To the shop’s first page</a>
</div>
</main>
</body>
</html>
`;
