// Renders PDFs one at a time in a separate process, because subsetting fonts would block a services host.

import type { PdfContent } from './content.ts';
import { renderPdf } from './drawing.ts';
import { READY, type RenderResponse } from './worker.ts';

if (import.meta.main) {
  const respond = (message: RenderResponse | typeof READY): void => void process.send?.(message);
  // Ignores Ctrl-C, which also reaches the parent, and exits with the parent.
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', (content: PdfContent) => {
    renderPdf(content).then(
      (pdf) => respond({ pdf }),
      (error) => respond({ error: String(error) }),
    );
  });
  respond(READY);
}
