// Writes of screens: single actions, and forms whose fields show the API's refusals. A session that ended is renewed over
// the screen, so that no input is lost.
import { useRef, useState } from 'preact/hooks';
import { toast } from '#edge/pages/design/toast.tsx';
import type { ServerApi } from '#proto/client/dashboard.ts';
import { useGuard } from './address.ts';
import { problemAt, problemOf, type ScreenProblem } from './problem.ts';
import { inSession, useDashboard } from './session.ts';

interface AfterWrite {
  /** The toast. */
  readonly done?: string;
  /** Takes the write back: the toast has a button for it. */
  readonly undo?: (api: ServerApi) => Promise<unknown>;
}

export interface ScreenWrite {
  readonly busy: boolean;
  readonly problem: ScreenProblem | null;
  readonly clear: () => void;
  /** Answers undefined when the API refuses, and then `problem` says why. Runs one write at a time. */
  readonly run: <T>(work: (api: ServerApi) => Promise<T>, after?: AfterWrite) => Promise<T | undefined>;
}

/** `const ship = useWrite(); … await ship.run((api) => api.orders.shipments.create({ … }), { done: 'Shipped.' })`. */
export const useWrite = (): ScreenWrite => {
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
    } catch (refused) {
      setProblem(problemOf(refused));
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { busy, problem, clear: () => setProblem(null), run };
};

/** A field's value, how to change it, and the API's refusal of it: spread it on a field of the design system. */
export interface BoundField<T> {
  readonly value: T;
  readonly change: (value: T) => void;
  readonly problem: string | undefined;
}

export interface Form<Draft extends object> {
  readonly draft: Draft;
  readonly set: (changed: Partial<Draft>) => void;
  /** `param` is the field's path in the request; its name unless said. */
  readonly field: <K extends keyof Draft & string>(name: K, param?: string) => BoundField<Draft[K]>;
  /** Fields that differ from the saved record. */
  readonly changed: Partial<Draft>;
  readonly dirty: boolean;
  readonly busy: boolean;
  /** The refusal; a field shows its own. */
  readonly problem: ScreenProblem | null;
  readonly submit: (event?: Event) => void;
  /** Puts other values in place, which count as saved. */
  readonly reset: (saved: Draft) => void;
}

interface FormWork<Draft extends object, T> {
  readonly saved: Draft;
  /** `changed` are the fields to send. */
  readonly save: (api: ServerApi, draft: Draft, changed: Partial<Draft>) => Promise<T>;
  readonly done?: string;
  readonly then?: (answer: T) => void;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const changedOf = <Draft extends object>(saved: Draft, draft: Draft): Partial<Draft> =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !isSame(value, saved[name as keyof Draft])),
  ) as Partial<Draft>;

/** A form over a draft. Leaving the screen with unsaved changes asks first. */
export const useForm = <Draft extends object, T>({
  saved: first,
  save,
  done,
  then,
}: FormWork<Draft, T>): Form<Draft> => {
  const [saved, setSaved] = useState(first);
  const [draft, setDraft] = useState(first);
  const write = useWrite();
  const changed = changedOf(saved, draft);
  const dirty = Object.keys(changed).length > 0;
  useGuard(dirty);
  const set = (values: Partial<Draft>): void => setDraft((before) => ({ ...before, ...values }));
  const reset = (values: Draft): void => {
    setSaved(values);
    setDraft(values);
  };
  return {
    draft,
    set,
    field: (name, param = name) => ({
      value: draft[name],
      change: (value) => set({ [name]: value } as unknown as Partial<Draft>),
      problem: problemAt(write.problem, param),
    }),
    changed,
    dirty,
    busy: write.busy,
    problem: write.problem,
    submit: (event) => {
      event?.preventDefault();
      const sent = draft;
      void write
        .run((api) => save(api, sent, changed), done === undefined ? {} : { done })
        .then((answer) => {
          if (answer === undefined) return;
          setSaved(sent);
          then?.(answer);
        });
    },
    reset,
  };
};
