// Shows a refused or failed call, and offers to try again.

import type { ComponentChildren } from 'preact';
import { Button } from '#edge/pages/design/button.tsx';
import { Note, Skeleton } from '#edge/pages/design/display.tsx';
import { MAYBE_DONE, type ScreenProblem } from './problem.ts';
import type { LoadedRecord } from './record.ts';

export const ProblemNote = ({
  problem,
  again,
}: {
  readonly problem: ScreenProblem | null;
  readonly again?: () => void;
}) =>
  problem && (
    <div role="alert">
      <Note tone="no">
        <b>{problem.message}</b>
        {problem.details && <span>{problem.details}</span>}
        {problem.hint && <span>{problem.hint}</span>}
        {problem.unknown && <span>{MAYBE_DONE}</span>}
        {again && (
          <div class="row">
            <Button press={again}>Try again</Button>
          </div>
        )}
      </Note>
    </div>
  );

/** A record's screen while it is read, when it is refused, and when it is there. */
export const WhenLoaded = <T,>({
  loaded,
  children,
}: {
  readonly loaded: LoadedRecord<T>;
  readonly children: (value: T) => ComponentChildren;
}) => {
  if (loaded.value !== null)
    return (
      <>
        <ProblemNote problem={loaded.problem} again={loaded.refresh} />
        {children(loaded.value)}
      </>
    );
  if (loaded.problem) return <ProblemNote problem={loaded.problem} again={loaded.refresh} />;
  return <Skeleton lines={6} />;
};
