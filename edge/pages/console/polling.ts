// Polls the API while a tab is shown; runs the tab's actions one at a time.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Polled<T> {
  readonly value: T | null;
  readonly problem: string;
  readonly refresh: () => void;
}

export const usePolling = <T>(ask: () => Promise<T>, everyMs: number): Polled<T> => {
  const [value, setValue] = useState<T | null>(null);
  const [problem, setProblem] = useState('');
  const [turn, setTurn] = useState(0);
  const asked = useRef(ask);
  asked.current = ask;
  useEffect(() => {
    let over = false;
    let timer = 0;
    const look = async (): Promise<void> => {
      if (!document.hidden)
        try {
          const message = await asked.current();
          if (over) return;
          setValue(() => message);
          setProblem('');
        } catch (refused) {
          if (!over) setProblem(refused instanceof Error ? refused.message : String(refused));
        }
      if (!over) timer = window.setTimeout(look, everyMs);
    };
    void look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [everyMs, turn]);
  return { value, problem, refresh: () => setTurn((before) => before + 1) };
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');

export const timeOf = (time: string | number): string => {
  const at = new Date(time);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':');
};

export const momentOf = (time: string | number): string => {
  const at = new Date(time);
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${timeOf(time)}`;
};

export interface ConsoleAction {
  readonly busy: boolean;
  readonly message: string;
  readonly run: (work: () => Promise<string>) => Promise<void>;
}

export const useAction = (then: () => void): ConsoleAction => {
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState('');
  const run = async (work: () => Promise<string>): Promise<void> => {
    setBusy(true);
    setMessage('');
    try {
      setMessage(await work());
    } catch (refused) {
      setMessage(refused instanceof Error ? refused.message : String(refused));
    }
    setBusy(false);
    then();
  };
  return { busy, message, run };
};
