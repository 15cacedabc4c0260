// Limits repeated warnings. The first of each kind is written at once; those that follow within a period are counted
// and reported together.
import type { Log } from './log.ts';

const PERIOD_MS = 10_000;
/** Limit of kinds, since kinds may contain callers' texts; all further kinds share one. */
const KINDS_MAX = 256;

interface Kind {
  leftOut: number;
  write: () => void;
}

export interface ThrottledLog {
  /**
   * `kind` groups warnings. The reported line has `left_out`, the number of warnings suppressed since the last line.
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
