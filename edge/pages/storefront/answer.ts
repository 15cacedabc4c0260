// The answers that a screen shows. The server collects them before it renders the page and sends them along; the
// browser continues with them, and caches its own.
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { StoaError } from '#proto/client/storefront.ts';
import { refusalText, ShopRefusal } from './refusal.ts';
import type { Text } from './wording.ts';
import { useWords } from './wording_context.ts';

const ANSWERS_MAX = 40;

export const errorText = (problem: unknown, text: Text): string => {
  if (problem instanceof StoaError && problem.status > 0 && problem.status < 500) return refusalText(problem, text);
  if (problem instanceof ShopRefusal) {
    const { code, message } = problem;
    return code === null ? message || text('silent_server') : refusalText({ code, message }, text);
  }
  return text('unreachable');
};

export interface AnswerProblem {
  readonly message: string;
  /** HTTP status of the API's answer; 0 if there was none. */
  readonly status: number;
}

/** The answers by name, as the page contains them. */
export interface AnswerTable {
  readonly values: Readonly<Record<string, unknown>>;
  readonly problems: Readonly<Record<string, AnswerProblem>>;
}

export class Answers {
  readonly #values = new Map<string, unknown>();
  readonly #problems = new Map<string, AnswerProblem>();
  /** Names whose answers are as new as the page, so that the browser need not ask again. */
  readonly #fresh: Set<string>;
  readonly #asked = new Map<string, Promise<void>>();

  constructor({ values, problems }: AnswerTable = { values: {}, problems: {} }) {
    for (const [name, value] of Object.entries(values)) this.#values.set(name, value);
    for (const [name, problem] of Object.entries(problems)) this.#problems.set(name, problem);
    this.#fresh = new Set([...this.#values.keys(), ...this.#problems.keys()]);
  }

  get<T>(name: string): T | null {
    return (this.#values.get(name) as T | undefined) ?? null;
  }

  problem(name: string): AnswerProblem | null {
    return this.#problems.get(name) ?? null;
  }

  isFresh(name: string): boolean {
    return this.#fresh.has(name);
  }

  /** Returns whether the page brought the answer; true at most once for a name. */
  takeFresh(name: string): boolean {
    this.#problems.delete(name);
    return this.#fresh.delete(name);
  }

  store(name: string, value: unknown): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size > ANSWERS_MAX) this.#values.delete(this.#values.keys().next().value!);
  }

  /** Asks on the server; once for each name. */
  collect(name: string, ask: () => Promise<unknown>, text: Text): void {
    if (this.#asked.has(name) || this.#fresh.has(name)) return;
    const settle = async (): Promise<void> => {
      try {
        this.#values.set(name, await ask());
      } catch (problem) {
        if (!(problem instanceof StoaError || problem instanceof ShopRefusal)) throw problem;
        this.#problems.set(name, { message: errorText(problem, text), status: problem.status });
      }
      this.#fresh.add(name);
    };
    this.#asked.set(name, settle());
  }

  /** Waits for the collected answers; returns whether there were any. */
  async settled(): Promise<boolean> {
    const waiting = [...this.#asked.values()];
    this.#asked.clear();
    await Promise.all(waiting);
    return waiting.length > 0;
  }

  table(): AnswerTable {
    return { values: Object.fromEntries(this.#values), problems: Object.fromEntries(this.#problems) };
  }
}

/** `collects` is true on the server. */
export const AnswerContext = createContext({ answers: new Answers(), collects: false });

export interface RequestState<T> {
  readonly value: T | null;
  readonly problem: string;
  readonly busy: boolean;
  readonly retry: () => void;
}

/**
 * Calls `ask`, again whenever a value in `about` changes, and ignores answers to earlier calls. If `name` is given, the
 * server asks too, and the cached answer is shown while the browser asks again.
 */
export const useRequest = <T>(ask: () => Promise<T>, about: readonly unknown[], name?: string): RequestState<T> => {
  const { answers, collects } = useContext(AnswerContext);
  const { text } = useWords();
  if (collects && name !== undefined) answers.collect(name, ask, text);
  const known = (): T | null => (name === undefined ? null : answers.get<T>(name));
  const problemNow = (): string => (name === undefined ? '' : (answers.problem(name)?.message ?? ''));
  const [state, setState] = useState(() => ({
    value: known(),
    problem: problemNow(),
    busy: name === undefined || !answers.isFresh(name),
  }));
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const problem = problemNow();
    if (name !== undefined && answers.takeFresh(name)) {
      setState({ value: known(), problem, busy: false });
      return;
    }
    let current = true;
    setState(({ value }) => ({ value: known() ?? value, problem: '', busy: true }));
    ask().then(
      (value) => {
        if (name !== undefined) answers.store(name, value);
        if (current) setState({ value, problem: '', busy: false });
      },
      (problem) => current && setState(({ value }) => ({ value, problem: errorText(problem, text), busy: false })),
    );
    return () => {
      current = false;
    };
  }, [...about, tries]);
  return { ...state, retry: () => setTries((at) => at + 1) };
};
