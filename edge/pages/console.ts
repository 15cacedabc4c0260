// Serves the developers' console at `/console`: page, script and style sheet. Only the page itself sends the key that
// the developer types.
import { fileURLToPath } from 'node:url';
import { bundle, type ProgramFile, programDocument, programFile } from './browser_program.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const encoder = new TextEncoder();

const style = async (): Promise<Uint8Array> => {
  const texts = await Promise.all(
    [
      import.meta.resolve('uplot/dist/uPlot.min.css'),
      new URL('./design/style/token.css', import.meta.url).href,
      new URL('./console/style.css', import.meta.url).href,
    ].map((url) => Bun.file(fileURLToPath(url)).text()),
  );
  return encoder.encode(texts.join('\n'));
};

const file = programFile(POLICY);

export const consoleFiles = (): readonly ProgramFile[] => [
  file('/console', 'text/html; charset=utf-8', async () => encoder.encode(programDocument('console', 'Console'))),
  file('/console/main.js', 'text/javascript; charset=utf-8', () =>
    bundle(new URL('./console/main.tsx', import.meta.url)),
  ),
  file('/console/style.css', 'text/css; charset=utf-8', style),
];
