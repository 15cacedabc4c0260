// A process that draws papers, one at a time: fonts are taken apart and put together again for each, which would have
// everything else in a services host wait.
import { drawPaper } from './drawing.ts';
import type { Paper } from './paper.ts';
import { type PrintAnswer, READY } from './printer.ts';

if (import.meta.main) {
  const answer = (told: PrintAnswer | typeof READY): void => void process.send?.(told);
  // It ends with the process that began it, and not before: a Ctrl-C is told to both.
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', (paper: Paper) => {
    drawPaper(paper).then(
      (pdf) => answer({ pdf }),
      (problem) => answer({ problem: String(problem) }),
    );
  });
  answer(READY);
}
