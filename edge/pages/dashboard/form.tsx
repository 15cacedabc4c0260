// Forms over a draft of a record: fields show the API's refusals, and a record that another person has changed meanwhile is
// merged with the draft, so that no input is lost.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import type { DashboardApi } from '#proto/client/dashboard.ts';
import { useGuard } from './address.ts';
import { type DraftChange, differences, mergeDraft } from './draft.ts';
import { problemAt, type ScreenProblem } from './problem.ts';
import { ProblemNote } from './problem_note.tsx';
import { useWrite } from './write.ts';

/** A field's value, how to change it, and the API's refusal of it: spread it on a field of the design system. */
export interface BoundField<T> {
  readonly value: T;
  readonly change: (value: T) => void;
  readonly problem: string | undefined;
}

export interface ScreenForm<Draft extends object> {
  readonly draft: Draft;
  readonly set: (changed: Partial<Draft>) => void;
  /** `param` is the field's path in the request; its name unless said. */
  readonly field: <K extends keyof Draft & string>(name: K, param?: string) => BoundField<Draft[K]>;
  readonly changed: Partial<Draft>;
  readonly dirty: boolean;
  readonly busy: boolean;
  /** The refusal, unless a field shows it. */
  readonly problem: ScreenProblem | null;
  readonly submit: (event?: Event) => void;
  /** Puts other values in place, which count as saved. */
  readonly reset: (saved: Draft) => void;
  /** Fields that another person changed meanwhile; null unless a save was refused for that. */
  readonly conflict: readonly DraftChange[] | null;
  readonly merge: (ours: ReadonlySet<string>) => void;
}

interface FormWork<Draft extends object, T> {
  /** The record as the screen knows it. If its `version` changes, such as by another form of the screen, the draft follows. */
  readonly saved: Draft;
  /** `changed` are the fields to send. */
  readonly save: (api: DashboardApi, draft: Draft, changed: Partial<Draft>) => Promise<T>;
  readonly done?: string;
  readonly after?: (answer: T) => void;
  /**
   * Reads the record as it is now: called when a save answers 409 since the record has another version. If no field of the
   * draft changed meanwhile, such as when the record was published, the draft is saved over the new version. Null: the record
   * is gone.
   */
  readonly reload?: (api: DashboardApi) => Promise<Draft | null>;
  /** Values of the answer that the form continues with, such as a new version. */
  readonly next?: (answer: T) => Partial<Draft>;
  /** Merges input that came after `saved` into `now`; field by field if left out. */
  readonly rebase?: (saved: Draft, now: Draft, mine: Draft) => Draft;
}

const rebaseFields = <Draft extends object>(saved: Draft, now: Draft, mine: Draft): Draft =>
  mergeDraft(saved, now, mine).draft;

const isOutdated = ({ status, param }: ScreenProblem): boolean =>
  status === 412 || (status === 409 && (param === 'version' || param === 'If-Match'));

const versionOf = (draft: object): unknown => ('version' in draft ? draft.version : null);

/** Leaving the screen with unsaved changes asks first. */
export const useForm = <Draft extends object, T>(work: FormWork<Draft, T>): ScreenForm<Draft> => {
  const { save, done, after, reload, next, rebase = rebaseFields } = work;
  const [saved, setSaved] = useState(work.saved);
  const [draft, setDraft] = useState(work.saved);
  const [theirs, setTheirs] = useState<Draft | null>(null);
  const read = useWrite();
  const write = useWrite((problem) => {
    if (reload && isOutdated(problem)) void read.run(reload).then((now) => now && compare(now));
  });
  const set = (values: Partial<Draft>): void => setDraft((before) => ({ ...before, ...values }));
  const send = async (base: Draft, values: Draft): Promise<void> => {
    const answer = await write.run((api) => save(api, values, differences(base, values)), { done });
    if (answer === undefined) return;
    const now = { ...values, ...next?.(answer) };
    setSaved(now);
    // Input that came during the save stays.
    setDraft((current) => rebase(values, now, current));
    after?.(answer);
  };
  const compare = (now: Draft): void => {
    const merged = mergeDraft(saved, now, draft);
    if (merged.changes.length > 0) {
      setTheirs(now);
      return;
    }
    setSaved(now);
    setDraft((current) => rebase(saved, now, current));
    void send(now, merged.draft);
  };
  useEffect(() => {
    const now = work.saved;
    // The version that this form has saved itself may differ by what the API makes of the texts.
    const isOwn = versionOf(now) !== null && versionOf(now) === versionOf(saved);
    if (!isOwn && mergeDraft(saved, now, draft).changes.some(({ isOurs }) => isOurs)) {
      setTheirs(now);
      return;
    }
    setSaved(now);
    setDraft((current) => rebase(saved, now, current));
  }, [versionOf(work.saved)]);
  const changed = differences(saved, draft);
  const dirty = Object.keys(changed).length > 0;
  useGuard(dirty);
  const shownParams = useRef(new Set<string>());
  const reset = (values: Draft): void => {
    setSaved(values);
    setDraft(values);
  };
  const { problem } = write;
  const isShown = problem?.param != null && shownParams.current.has(problem.param);
  return {
    draft,
    set,
    field: (name, param = name) => {
      shownParams.current.add(param);
      return {
        value: draft[name],
        change: (value) => set({ [name]: value } as unknown as Partial<Draft>),
        problem: problemAt(problem, param),
      };
    },
    changed,
    dirty,
    busy: write.busy,
    problem: isShown ? null : (problem ?? read.problem),
    submit: (event) => {
      event?.preventDefault();
      void send(saved, draft);
    },
    reset,
    conflict: theirs && mergeDraft(saved, theirs, draft).changes,
    merge: (ours) => {
      if (!theirs) return;
      setDraft(mergeDraft(saved, theirs, draft, ours).draft);
      setSaved(theirs);
      setTheirs(null);
      write.clear();
    },
  };
};

const NOTHING = '–';
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type NameOf = (id: string) => string | undefined;

const listText = (values: readonly unknown[], nameOf: NameOf): string => {
  const texts = values.map((value) =>
    ID.test(String(value)) ? (nameOf(String(value)) ?? NOTHING) : textOf(value, nameOf),
  );
  const shown = texts.filter((text) => text !== NOTHING);
  if (shown.length > 0) return shown.join('; ');
  return values.length === 0 ? NOTHING : values.length === 1 ? '1 entry' : `${values.length} entries`;
};

/** Lists and objects are shown by their values, without ids that have no name; a list of such ids alone by its length. */
const textOf = (value: unknown, nameOf: NameOf): string => {
  if (value === null || value === undefined || value === '') return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return listText(value, nameOf);
  if (typeof value !== 'object') return nameOf(String(value)) ?? String(value);
  const shown = Object.values(value).filter((each) => each !== null && each !== '' && !ID.test(String(each)));
  return shown.map((each) => textOf(each, nameOf)).join(', ') || NOTHING;
};

interface ConflictProps {
  readonly changes: readonly DraftChange[];
  readonly labels: Readonly<Record<string, string>>;
  readonly nameOf: NameOf;
  readonly merge: (ours: ReadonlySet<string>) => void;
}

const ConflictDialog = ({ changes, labels, nameOf, merge }: ConflictProps) => {
  const [ours, setOurs] = useState<ReadonlySet<string>>(
    new Set(changes.filter(({ isOurs }) => isOurs).map(({ name }) => name)),
  );
  const choose = (name: string, isOurs: boolean): void => {
    const next = new Set(ours);
    if (isOurs) next.add(name);
    else next.delete(name);
    setOurs(next);
  };
  return (
    <Dialog title="Another person changed this meanwhile" close={() => merge(ours)} wide>
      <p>Choose what to continue with. Nothing is saved yet.</p>
      {changes.map(({ name, theirs, mine, isOurs }) => (
        <fieldset key={name} class="stack">
          <legend>{labels[name] ?? name}</legend>
          <label class="check">
            <input type="radio" name={name} checked={!ours.has(name)} onChange={() => choose(name, false)} />
            Theirs: {textOf(theirs, nameOf)}
          </label>
          {isOurs && (
            <label class="check">
              <input type="radio" name={name} checked={ours.has(name)} onChange={() => choose(name, true)} />
              Yours: {textOf(mine, nameOf)}
            </label>
          )}
        </fieldset>
      ))}
      <div class="buttons">
        <Button tone="primary" press={() => merge(ours)}>
          Continue
        </Button>
      </div>
    </Dialog>
  );
};

interface FormProps<Draft extends object> {
  readonly form: ScreenForm<Draft>;
  /** Names of the fields, for the reader of a conflict. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Names records whose ids are values of fields, for the same reader. */
  readonly nameOf?: NameOf;
  /** A verb: “Save”. */
  readonly action?: string;
  /** Left out of roles that may not save. */
  readonly canSave?: boolean;
  /** Closes the dialog that the form is in. */
  readonly close?: () => void;
  /** False: something has to be chosen first. */
  readonly isReady?: boolean;
  readonly children: ComponentChildren;
}

/** The form's element, its refusal, its button, and the question after a conflict. */
export const FormSheet = <Draft extends object>({
  form,
  labels = {},
  nameOf = () => undefined,
  action = 'Save',
  canSave = true,
  close,
  isReady = true,
  children,
}: FormProps<Draft>) => (
  <form class="stack" onSubmit={form.submit} noValidate>
    <fieldset class="bare" disabled={!canSave}>
      {children}
    </fieldset>
    <ProblemNote problem={form.conflict ? null : form.problem} />
    {canSave && (
      <div class={close ? 'buttons' : 'row'}>
        {close && <Button press={close}>Back</Button>}
        <Button submits tone="primary" busy={form.busy} disabled={!isReady}>
          {action}
        </Button>
        {form.dirty && <span class="soft">Not saved yet</span>}
      </div>
    )}
    {form.conflict && <ConflictDialog changes={form.conflict} labels={labels} nameOf={nameOf} merge={form.merge} />}
  </form>
);
