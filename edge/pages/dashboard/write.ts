// Writes of screens: single actions. A session that ended is renewed over the screen, so that no input is lost.
import { useRef, useState } from 'preact/hooks';
import { toast } from '#edge/pages/design/toast.tsx';
import type { DashboardApi } from '#proto/client/dashboard.ts';
import { problemOf, type ScreenProblem } from './problem.ts';
import { inSession, useDashboard } from './session.ts';

interface AfterWrite {
  readonly done?: string | undefined;
  /** Takes the write back: the toast has a button for it. */
  readonly undo?: ((api: DashboardApi) => Promise<unknown>) | undefined;
}

export interface ScreenWrite {
  readonly busy: boolean;
  readonly problem: ScreenProblem | null;
  readonly clear: () => void;
  /** Answers undefined when the API refuses, and then `problem` says why. Runs one write at a time. */
  readonly run: <T>(work: (api: DashboardApi) => Promise<T>, after?: AfterWrite) => Promise<T | undefined>;
}

/** `const ship = useWrite(); … await ship.run((api) => api.orders.shipments.create({ … }), { done: 'Shipped.' })`. */
export const useWrite = (refused?: (problem: ScreenProblem) => void): ScreenWrite => {
  const dashboard = useDashboard();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ScreenProblem | null>(null);
  const running = useRef(false);
  const run: ScreenWrite['run'] = async (work, { done, undo } = {}) => {
    if (running.current) return undefined;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      const answer = await inSession(dashboard, () => work(dashboard.api));
      if (done) toast(done, undo && (() => void run(undo, { done: 'Undone.' })));
      return answer;
    } catch (failed) {
      const found = problemOf(failed);
      setProblem(found);
      refused?.(found);
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, problem, clear: () => setProblem(null), run };
};
