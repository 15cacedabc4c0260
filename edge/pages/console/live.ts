// What is asked again and again while it is looked at.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface Live<T> {
  readonly value: T | null;
  readonly problem: string;
  /** Asks now instead of at the next time. */
  readonly again: () => void;
}

/** Asks once when it is first shown and every `everyMs` from then on, as long as the page can be seen. */
export const useLive = <T>(ask: () => Promise<T>, everyMs: number): Live<T> => {
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
          const told = await asked.current();
          if (over) return;
          setValue(() => told);
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
  return { value, problem, again: () => setTurn((before) => before + 1) };
};

export const timeOf = (text: string): string => new Date(text).toLocaleTimeString([], { hour12: false });
export const momentOf = (time: string | number): string => new Date(time).toLocaleString([], { hour12: false });
