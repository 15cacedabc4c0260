// Warnings that many callers cause at once, as where a part is away: the first of a kind is written as it comes, the others
// of its period are counted. So the log says what is wrong, and a minute of it is not ten thousand lines of the same.
import type { Log } from './log.ts';

const PERIOD_MS = 10_000;
/** Texts of others may make kinds without end: what comes beyond is of one kind. */
const KINDS_MAX = 256;

interface Kind {
  leftOut: number;
  /** Writes the last one that was left out. */
  write: () => void;
}

export interface ThrottledLog {
  /**
   * `kind`: what makes two of them the same. A line says in `left_out` how many beside it were not written since the one
   * before.
   */
  warn(kind: string, fields: Readonly<Record<string, unknown>>, text: string): void;
}

export const throttledLog = (log: Pick<Log, 'warn'>, periodMs = PERIOD_MS): ThrottledLog => {
  const kinds = new Map<string, Kind>();

  const follow = (name: string, kind: Kind): void => {
    setTimeout(() => {
      if (kind.leftOut === 0) return void kinds.delete(name);
      kind.write();
      kind.leftOut = 0;
      follow(name, kind);
    }, periodMs).unref();
  };

  return {
    warn(given, fields, text) {
      const name = kinds.has(given) || kinds.size < KINDS_MAX ? given : '';
      const known = kinds.get(name);
      if (known) {
        known.leftOut++;
        known.write = () => log.warn({ ...fields, left_out: known.leftOut - 1 }, text);
        return;
      }
      log.warn(fields, text);
      const kind: Kind = { leftOut: 0, write: () => {} };
      kinds.set(name, kind);
      follow(name, kind);
    },
  };
};
